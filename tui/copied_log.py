"""The log of a session that was opened on a recording: to save it is to copy the file."""

from __future__ import annotations

from pathlib import Path

from batchtui.plugins.recordings.recording import AnyRecording
from batchtui.plugins.recordings.target import COPY_BYTES, Target


class CopiedLog:
    """The file that a recording was opened from."""

    def __init__(self, path: Path, recording: AnyRecording) -> None:
        self._path = path
        self._recording = recording

    def save_as(self, path: Path) -> None:
        """Copy it."""
        with Target.claim(path) as target, self._path.open("rb") as file:
            at = 0
            while data := file.read(COPY_BYTES):
                target.write(data, at)
                at += len(data)

    def close(self) -> None:
        """Close it."""
        self._recording.close()
