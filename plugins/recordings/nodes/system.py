"""The search for bad nodes, as recordings know it."""

from __future__ import annotations

from batchtui.engine.debugger.recording import Header
from batchtui.engine.debugger.replay import Replay
from batchtui.engine.nodes.entries import CODEC, SYSTEM
from batchtui.engine.nodes.history import NodesHistory, weigh
from batchtui.engine.nodes.search import PHASES, Search
from batchtui.engine.nodes.strategies.named import strategy_named
from batchtui.engine.nodes.view import NodesView
from batchtui.plugins.recordings.nodes.header import config_of
from batchtui.plugins.recordings.recording import Recording
from batchtui.plugins.recordings.system import System

NodesRecording = Recording[NodesView, NodesHistory]


def _begun(header: Header, where: str) -> NodesHistory:
    return NodesHistory(config_of(header, where))


def _replay(header: Header) -> Replay:
    return Replay(Search(config_of(header, "line 1"), strategy_named))


NODES = System(
    name=SYSTEM,
    phases=PHASES,
    codec=CODEC,
    begun=_begun,
    replay=_replay,
    weigh=weigh,
)
