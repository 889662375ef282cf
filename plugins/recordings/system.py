"""What recordings ask of a system: all that they do not know of it themselves, as one value.

A system whose history also ``Recalls`` is opened from keyframe to keyframe; of any other every
entry is read.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

from batchtui.engine.debugger.codec import Codec
from batchtui.engine.debugger.recording import Entry, Header
from batchtui.engine.debugger.replay import Replay
from batchtui.engine.debugger.timeline import History

# Any: of whatever view the system has.
HistoryT = TypeVar("HistoryT", bound=History[Any])


@dataclass(frozen=True)
class System(Generic[HistoryT]):
    """A system that can be recorded.

    Attributes:
        name: what headers call it.
        phases: of a step, in their order.
        codec: its entries.
        begun: the history of a run that has not begun, made from its header; is told how a message
            names the header's place, and raises ``InputError`` where the header makes no sense.
        replay: a new machine made from a header, to be run on what was recorded.
        weigh: what the entries of a turn cost to be folded, as the history weighs them: whoever
            writes and whoever looks cut chunks by the same rule.
    """

    name: str
    phases: tuple[str, ...]
    codec: Codec
    begun: Callable[[Header, str], HistoryT]
    replay: Callable[[Header], Replay]
    weigh: Callable[[list[Entry]], int] = len


AnySystem = System[Any]  # Any: whoever takes this asks nothing that one system alone has
