"""The options that several verbs take, each said once."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from typing import Annotated

import typer

from batchtui.plugins.formats.lines import printable
from batchtui.plugins.runs import RunOptions

Verb = Callable[..., None]


def whole_number(least: int | None = None, most: int | None = None) -> Callable[[str], int]:
    """A parser of whole numbers that says what it wants."""
    wanted = "a whole number"
    if least is not None:
        wanted += f" from {least} up" if most is None else f" from {least} to {most}"

    def parse(text: str) -> int:
        try:
            number = int(text)
        except ValueError:
            raise typer.BadParameter(f"{printable(text)} is not {wanted}") from None
        if (least is not None and number < least) or (most is not None and number > most):
            raise typer.BadParameter(f"{printable(text)} is not {wanted}")
        return number

    return parse


_from_0, _from_1 = whole_number(0), whole_number(1)

Workload = Annotated[
    str,
    typer.Argument(
        metavar="WORKLOAD", help="A case, JSON Lines of requests, a trace, or a bundled name."
    ),
]
Record = Annotated[
    str | None,
    typer.Option(
        metavar="FILE", help="Record everything into a new file; .gz packs it at the end."
    ),
]
Break = Annotated[
    list[str] | None,
    typer.Option(
        "--break",
        metavar="COND",
        help="Stop there: finish r7, discard, queue > 10, wait > 2s, step 120, joined by `and`.",
    ),
]
AsJson = Annotated[bool, typer.Option("--json", help="Print one JSON document and nothing else.")]


def run_options(
    backend: Annotated[
        str | None,
        typer.Option(
            metavar="NAME",
            help="The model: a name of `batchtui plugins`, function:M:F, or llama:FILE.gguf.",
        ),
    ] = None,
    slots: Annotated[
        int | None,
        typer.Option(parser=_from_1, metavar="N", help="Slots of the batch (max_num_seqs)."),
    ] = None,
    policy: Annotated[
        str | None, typer.Option(metavar="NAME", help="The order of the queue.")
    ] = None,
    seed: Annotated[
        int,
        typer.Option(parser=whole_number(), metavar="N", help="Seed of what the model draws."),
    ] = 0,
    kv_blocks: Annotated[
        int | None,
        typer.Option(
            parser=_from_1,
            metavar="N",
            help="KV blocks in all (num_gpu_blocks); unlimited unless said.",
        ),
    ] = None,
    block_size: Annotated[
        int | None, typer.Option(parser=_from_1, metavar="N", help="Tokens in a KV block.")
    ] = None,
    max_model_len: Annotated[
        int | None,
        typer.Option(
            parser=_from_1, metavar="N", help="Most tokens of prompt and output together."
        ),
    ] = None,
    retries: Annotated[
        int | None,
        typer.Option(
            parser=_from_0,
            metavar="N",
            help="Times a failed call is made again whole, then halved.",
        ),
    ] = None,
    empty_replies: Annotated[
        int | None,
        typer.Option(
            parser=_from_1,
            metavar="N",
            help="Replies without a token that end a request in error.",
        ),
    ] = None,
) -> RunOptions:
    """What a user may say of a run; the parameters are the options."""
    return RunOptions(
        backend=backend,
        slots=slots,
        policy=policy,
        seed=seed,
        kv_blocks=kv_blocks,
        block_size=block_size,
        max_model_len=max_model_len,
        retries=retries,
        empty_replies=empty_replies,
    )


def with_said(said_by: Callable[..., object]) -> Callable[[Verb], Verb]:
    """Put the options that ``said_by`` has for parameters where a verb has its parameter ``said``,
    which is what ``said_by`` makes of them."""
    shared = inspect.signature(said_by, eval_str=True).parameters

    def with_shared(verb: Verb) -> Verb:
        parameters: list[inspect.Parameter] = []
        for parameter in inspect.signature(verb, eval_str=True).parameters.values():
            parameters.extend(shared.values() if parameter.name == "said" else [parameter])

        def merged(**given: object) -> None:
            chosen = {name: given.pop(name) for name in shared}
            verb(said=said_by(**chosen), **given)

        merged.__doc__ = verb.__doc__
        merged.__annotations__ = {each.name: each.annotation for each in parameters}
        # Typer reads it; mypy does not know that functions may have one.
        merged.__signature__ = inspect.Signature(parameters)  # type: ignore[attr-defined]
        return merged

    return with_shared


with_run_options = with_said(run_options)
"""For the verbs that begin a run."""
