"""The recording that a run writes beside what it prints."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import cast, get_args

from batchtui.engine.batching.redaction import Redaction, blank, hashed
from batchtui.engine.debugger.recorder import Recorder
from batchtui.engine.debugger.recording import Texts
from batchtui.engine.errors import BatchtuiError, InputError
from batchtui.plugins.formats.lines import printable
from batchtui.plugins.recordings.batching.header import header_of, never_blocks
from batchtui.plugins.recordings.batching.indexer import Indexer
from batchtui.plugins.recordings.log import FileLog
from batchtui.plugins.runs import Run, RunOptions, policy_named
from batchtui.tui.cli.signals import clearing_away

LogFault = Callable[[], BatchtuiError | None]
"""What went wrong with the recording, once it is closed."""


def texts_of(record: str | None, said: str | None) -> Texts:
    """What of texts is to be kept.

    Raises:
        InputError: that is no word for it, or nothing is recorded.
    """
    if said is None:
        return "full"
    if said not in get_args(Texts):
        raise InputError(f"--record-text {printable(said)}: want none, hash or full")
    if record is None:
        raise InputError("--record-text without --record: name the file to record to")
    return cast(Texts, said)


@contextmanager
def recording_to(
    record: str | None, run: Run, said: RunOptions, texts: Texts, asked: str
) -> Iterator[LogFault]:
    """Record a run while the block drives it; nothing, where ``record`` is None.

    A signal that ends the process closes the recording first.
    """
    if record is None or run.recorder is None:
        yield lambda: None
        return
    log = FileLog.create(
        Path(record),
        header_of(run, said, texts, asked),
        _redaction(texts),
        Indexer(run.decoder.config, run.policy, policy_named),
    )
    # What may take the process with it is called only when everything before is safe.
    with logging_to(log, run.recorder, flushes=not never_blocks(run)) as fault_of_log:
        yield fault_of_log


@contextmanager
def logging_to(log: FileLog, recorder: Recorder, *, flushes: bool = False) -> Iterator[LogFault]:
    """Write what a recorder hears into a log while the block drives it, then close the log; a
    signal that ends the process closes it first."""
    failure: BatchtuiError | None = None
    recorder.log, recorder.flushes = log, flushes
    with clearing_away(interrupts=False):
        try:
            yield lambda: failure
        finally:
            try:
                log.close()
            except BatchtuiError as error:
                failure = error


def _redaction(texts: Texts) -> Redaction | None:
    if texts == "full":
        return None
    # The key is forgotten with the process: nobody can try texts against the digests.
    import secrets  # noqa: PLC0415 - a part of OpenSSL comes with it

    return Redaction(blank if texts == "none" else hashed(secrets.token_bytes(32)))
