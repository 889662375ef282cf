"""Keyframes in the file of a recording: how they are written, and found again.

They are believed only where every byte before them is what it was when they were written.
"""

from __future__ import annotations

import zlib
from collections.abc import Iterator
from typing import IO

import msgspec

from batchtui.engine.debugger.codec import ENCODER, KEYFRAME
from batchtui.engine.debugger.recording import Keyframe
from batchtui.engine.debugger.timeline import FullChunk

_BLOCK_BYTES = 1 << 20
_BEGIN = b'{"type":"Keyframe",'
_CRC = b',"crc":'


class UnbelievableError(Exception):
    """The keyframes of a file do not fit it: whoever opens it reads all of it instead."""


def line_of(ended: FullChunk, seq: int, end: int, crc: int) -> bytes:
    """The line of a keyframe.

    Args:
        ended: the chunk.
        seq: the number of the last event before it.
        end: where in the file it ends.
        crc: of the file before the line.
    """
    keyframe = Keyframe(
        chunk=ended.chunk,
        end=end,
        turn=ended.turn,
        step=ended.step,
        seqs=[seq - before for before, seq in zip([seq, *ended.seqs], ended.seqs, strict=False)],
        marks=ended.marks,
        frame=ended.frame,
    )
    said = ENCODER.encode(keyframe).removesuffix(_CRC + b"0}")
    return said + _CRC + b"%d}\n" % zlib.crc32(said, crc)


def keyframes_of(file: IO[bytes]) -> Iterator[tuple[int, Keyframe]]:
    """The keyframes of a file, each with the place where its line begins.

    Raises:
        UnbelievableError: one of them does not fit what stands before it.
    """
    file.seek(0)
    at = crc = 0
    for data in _blocks(file):
        view, done = memoryview(data), 0
        while (begin := data.find(_BEGIN, done)) >= 0:
            line = data[begin : data.index(b"\n", begin) + 1]
            said = line.rpartition(_CRC)[0]
            crc = zlib.crc32(said, zlib.crc32(view[done:begin], crc))
            yield at + begin, _keyframe(line, crc)
            crc = zlib.crc32(line[len(said) :], crc)
            done = begin + len(line)
        crc = zlib.crc32(view[done:], crc)
        at += len(data)


def _blocks(file: IO[bytes]) -> Iterator[bytes]:
    """Whole lines; one that is cut off is left out."""
    while data := file.read(_BLOCK_BYTES):
        data += file.readline()
        yield data if data.endswith(b"\n") else data[: data.rfind(b"\n") + 1]


def _keyframe(line: bytes, crc: int) -> Keyframe:
    try:
        keyframe = KEYFRAME.decode(line)
    except (msgspec.MsgspecError, ValueError, RecursionError) as error:
        raise UnbelievableError from error
    if keyframe.crc != crc:
        raise UnbelievableError
    return keyframe
