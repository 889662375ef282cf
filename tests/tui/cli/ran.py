"""What a command came to, and the types of the fixtures that run it."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any, NamedTuple


class Ran(NamedTuple):
    """What a command came to."""

    status: int
    out: str
    err: str

    @property
    def document(self) -> Any:  # Any: JSON
        return json.loads(self.out)


Cli = Callable[..., Ran]
Write = Callable[..., str]
Backend = Callable[[str], str]
Install = Callable[[str, str], None]
