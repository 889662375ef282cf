"""What a caller's test may answer, and how the search takes it."""

from __future__ import annotations

from typing import Any, TypeAlias, get_args

from batchtui.engine.nodes.probe import ProbeResult, Verdict

Answer: TypeAlias = bool | ProbeResult | Verdict
"""True or ``pass`` where every node of the set is good, False or ``fail`` where any is bad,
``inconclusive`` where the test could not be made; a ``ProbeResult`` says why, too."""

VERDICTS = get_args(Verdict)


class WrongAnswer(TypeError):
    """A test answered what is no answer. The message names its type alone, so it may be shown."""


def read(answer: Any) -> ProbeResult:  # a callable may return anything
    """An answer as the search takes it.

    Raises:
        WrongAnswer: it is none. A status of a process is not taken for one: there 0 is good.
    """
    if hasattr(answer, "dtype") and hasattr(answer, "item"):
        answer = answer.item()  # a bool of numpy, or of a tensor without dimensions
    if isinstance(answer, bool):
        return ProbeResult(verdict="pass" if answer else "fail")
    if isinstance(answer, ProbeResult) and answer.verdict in VERDICTS:
        return answer
    if isinstance(answer, str) and answer in VERDICTS:
        return ProbeResult(verdict=answer)  # type: ignore[arg-type]
    raise WrongAnswer(
        f"a test returned {type(answer).__name__}: want True, False, a ProbeResult, "
        "or one of pass, fail, inconclusive"
    )
