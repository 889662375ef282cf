"""The one tree of errors, split by whose fault it is.

    BatchtuiError
    ├── InputError        the caller's: a file, a flag, a request (exit 2)
    ├── PluginError       a plugin's: it is missing, does not load, or breaks its contract (exit 2)
    ├── WorkError         the work itself failed (exit 1)
    ├── IncomparableError what is to be compared has not what that takes (exit 7)
    └── InvariantError    ours: a rule of the engine was broken (exit 1)

A message says what was seen, where, and what to do, on one line.
"""

from __future__ import annotations


class BatchtuiError(Exception):
    """What the command line shows as one line.

    ``code`` is the machine-readable name, ``exit_code`` the status of the process.
    """

    code = "error"
    exit_code = 1

    def __init__(self, message: str, *, code: str | None = None) -> None:
        super().__init__(message)
        if code is not None:
            self.code = code


class InputError(BatchtuiError):
    """The input or the usage is wrong."""

    code = "invalid_input"
    exit_code = 2


class PluginError(BatchtuiError):
    """A plugin is not there, does not load, or breaks its contract."""

    code = "plugin"
    exit_code = 2


class WorkError(BatchtuiError):
    """The work was understood and failed."""

    code = "failed"


class IncomparableError(BatchtuiError):
    """What is to be compared does not hold what a comparison needs."""

    code = "not_comparable"
    exit_code = 7


class InvariantError(BatchtuiError):
    """A rule that the engine promises was broken: a bug of ours."""

    code = "invariant"
