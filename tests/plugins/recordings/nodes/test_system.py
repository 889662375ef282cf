"""Searches that are recorded to a file: opened, looked at anywhere, run again."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.engine.nodes.film import Film, config, configured, encoded, faultless, films, liar

from batchtui.engine.errors import InputError
from batchtui.engine.nodes.inventory import numbered
from batchtui.plugins.recordings.again import verify
from batchtui.plugins.recordings.log import FileLog
from batchtui.plugins.recordings.nodes.header import config_of, nodes_header
from batchtui.plugins.recordings.nodes.system import NodesRecording
from batchtui.plugins.recordings.recording import open_recording


def recorded(film: Film, path: Path) -> Path:
    """Run a search to its end, into a new file."""
    path.unlink(missing_ok=True)
    log = FileLog.create(path, nodes_header(film.config, probe="simulated"))
    film.recorder.log = log
    film.run()
    log.close()
    return path


def small() -> Film:
    return Film(config(8), faultless({2, 5}), [configured(50_000_000, max_parallel=2)])


@pytest.fixture
def opened(tmp_path: Path) -> Iterator[tuple[Film, NodesRecording]]:
    film = small()
    with closing(open_recording(recorded(film, tmp_path / "a.jsonl"))) as recording:
        yield film, recording


@given(films())
def test_every_moment_of_a_recording_shows_what_the_search_showed(
    tmp_path_factory: pytest.TempPathFactory, film: Film
) -> None:
    path = recorded(film, tmp_path_factory.getbasetemp() / "any.jsonl")
    with closing(open_recording(path)) as recording:
        timeline = recording.timeline
        assert timeline.num_turns == film.turn
        assert [encoded(timeline.view_at(turn)) for turn in range(film.turn + 1)] == film.seen
        assert recording.history.ribbon(slice(None)) == film.history.ribbon(slice(None))
        assert recording.torn == ""
        replayed = verify(recording)
        assert replayed.difference is None
        assert replayed.num_turns == film.turn


def test_a_search_that_was_confirmed_is_run_again_with_the_same_votes(tmp_path: Path) -> None:
    film = Film(config(26, "fewest-tests", confirms=True), liar({1, 7, 13}, 4, 0.05, 0.2))
    with closing(open_recording(recorded(film, tmp_path / "a.jsonl"))) as recording:
        assert film.view.totals.overruled
        assert verify(recording).difference is None
        seen = [encoded(recording.timeline.view_at(turn)) for turn in range(film.turn + 1)]
        assert seen == film.seen


def test_a_large_search_is_looked_at_in_its_chunks(tmp_path: Path) -> None:
    film = Film(config(4, inventory=msgspec.to_builtins(numbered(600))), faultless({7, 99, 300}))
    with closing(open_recording(recorded(film, tmp_path / "a.jsonl.gz"))) as recording:
        timeline = recording.timeline
        assert timeline.chunk_bounds(timeline.num_turns)[0] > 0
        for turn in range(film.turn, -1, -1):
            assert encoded(timeline.view_at(turn)) == film.seen[turn]
        assert timeline.view.num_bad == 3


def test_the_header_says_how_the_search_was_set_up(opened: tuple[Film, NodesRecording]) -> None:
    film, recording = opened
    header = recording.header
    assert (header.system, header.backend, header.policy) == ("nodes", "simulated", "fewest-rounds")
    assert config_of(header, "here") == film.config
    assert not header.real


def test_the_same_search_has_the_same_bytes(tmp_path: Path) -> None:
    one, other = (recorded(small(), tmp_path / name) for name in ("a.jsonl", "b.jsonl"))
    assert one.read_bytes() == other.read_bytes()


Change = Callable[[bytes], bytes]


def changed(tmp_path: Path, change: Change) -> Path:
    path = recorded(small(), tmp_path / "a.jsonl")
    whole = path.read_bytes()
    path.write_bytes(change(whole))
    assert path.read_bytes() != whole
    return path


def test_a_verdict_that_was_flipped_comes_out_otherwise(tmp_path: Path) -> None:
    # The first reply is the only thing that is changed: what was decided upon it is not.
    path = changed(tmp_path, lambda data: data.replace(b'"verdict":"pass"', b'"verdict":"fail"', 1))
    with closing(open_recording(path, trusting=False)) as recording:
        difference = verify(recording).difference
    assert difference is not None
    assert (difference.step, difference.phase, difference.fields) == (0, "deduce", ("verdict",))


def test_another_bad_node_comes_out_otherwise(tmp_path: Path) -> None:
    path = recorded(small(), tmp_path / "a.jsonl")
    lines = [line for line in path.read_bytes().splitlines() if b"NodeCondemned" in line]
    assert lines
    node = lines[0][lines[0].index(b'"node":') :]
    other = changed(tmp_path, lambda data: data.replace(node, b'"node":7}', 1))
    with closing(open_recording(other, trusting=False)) as recording:
        difference = verify(recording).difference
    assert difference is not None
    assert difference.fields == ("node",)


@pytest.mark.parametrize(
    ("old", "new"),
    [
        (b'"nodes":[0,1]', b'"nodes":[0,99]'),
        (b'"nodes":[0,1]', b'"nodes":[]'),
        (b'"type":"TestStarted"', b'"type":"Unheard"'),
        (b'"verdict":"pass"', b'"verdict":"perhaps"'),
        (b'"test":1,"lane"', b'"test":77,"lane"'),
        (b'"node":2}', b'"node":999}'),
    ],
)
def test_what_contradicts_itself_is_refused_with_its_line(
    tmp_path: Path, old: bytes, new: bytes
) -> None:
    path = changed(tmp_path, lambda data: data.replace(old, new))
    with pytest.raises(InputError, match=r"a\.jsonl lines? \d+"):
        open_recording(path)


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        (b'"strategy":"fewest-rounds"', b'"strategy":7', "config"),
        (b'"name":"b"', b'"name":"a"', "two nodes are called a"),
        (b'"inventory":', b'"inventry":', "inventory"),
    ],
)
def test_a_header_that_makes_no_sense_is_refused(
    tmp_path: Path, old: bytes, new: bytes, message: str
) -> None:
    path = changed(tmp_path, lambda data: data.replace(old, new, 1))
    with pytest.raises(InputError, match=message):
        open_recording(path)


@given(st.integers(1, 4_000))
def test_one_that_was_cut_off_is_opened_as_far_as_it_is_whole(
    tmp_path_factory: pytest.TempPathFactory, cut: int
) -> None:
    film = small()
    path = recorded(film, tmp_path_factory.getbasetemp() / "cut.jsonl")
    data = path.read_bytes()
    kept = max(data.index(b"\n") + 1, len(data) - cut)
    path.write_bytes(data[:kept])
    with closing(open_recording(path)) as recording:
        timeline = recording.timeline
        assert encoded(timeline.view_at(timeline.num_turns)) == film.seen[timeline.num_turns]
        assert verify(recording).difference is None
