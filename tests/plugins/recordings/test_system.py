"""Whatever its system is, a recording is written, opened, looked at anywhere and run again."""

from __future__ import annotations

from contextlib import closing
from pathlib import Path

import msgspec
import pytest
from tests.plugins.recordings.pairs import BAD, HEADER, PAIRS, know_pairs, record_pairs

from batchtui.engine.errors import InputError
from batchtui.plugins.recordings.again import verify
from batchtui.plugins.recordings.recording import open_recording


@pytest.fixture(autouse=True)
def known(monkeypatch: pytest.MonkeyPatch) -> None:
    know_pairs(monkeypatch)


def test_every_moment_of_another_system_can_be_looked_at(tmp_path: Path) -> None:
    seen = record_pairs(tmp_path / "a.jsonl", 1_000)
    assert (tmp_path / "a.jsonl").read_bytes().count(b'\n{"type":"Keyframe"') > 1
    with closing(open_recording(tmp_path / "a.jsonl")) as opened:
        timeline = opened.timeline
        assert (opened.header, opened.system, opened.torn) == (HEADER, PAIRS, "")
        assert timeline.num_turns == len(seen) - 1
        assert [msgspec.json.encode(timeline.view_at(turn)) for turn in range(len(seen))] == seen
        assert timeline.view.verdicts[BAD] == "bad"
        assert opened.history.num_steps == timeline.step + 1


def test_another_system_is_run_again(tmp_path: Path) -> None:
    record_pairs(tmp_path / "a.jsonl")
    with closing(open_recording(tmp_path / "a.jsonl")) as opened:
        replayed = verify(opened)
        assert replayed.difference is None
        assert (replayed.num_turns, replayed.num_events) == (opened.timeline.num_turns, 8)


def test_a_decision_of_another_system_that_was_changed_is_told(tmp_path: Path) -> None:
    record_pairs(tmp_path / "a.jsonl")
    data = (tmp_path / "a.jsonl").read_bytes()
    (tmp_path / "b.jsonl").write_bytes(data.replace(b'"verdict":"bad"', b'"verdict":"good"'))
    with closing(open_recording(tmp_path / "b.jsonl")) as opened:
        difference = verify(opened).difference
        assert difference is not None
        assert difference.fields == ("verdict",)


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        (b'"phase":"deduce"', b'"phase":"admit"', "admit is no phase: want plan, run, deduce"),
        (b'"type":"NodeJudged"', b'"type":"RequestQueued"', "RequestQueued"),
    ],
)
def test_what_is_of_one_system_is_refused_in_another(
    tmp_path: Path, old: bytes, new: bytes, message: str
) -> None:
    record_pairs(tmp_path / "a.jsonl")
    data = (tmp_path / "a.jsonl").read_bytes()
    (tmp_path / "b.jsonl").write_bytes(data.replace(old, new))
    with pytest.raises(InputError, match=rf"b.jsonl lines? \d.*{message}"):
        open_recording(tmp_path / "b.jsonl")
