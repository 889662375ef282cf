"""The options that ``run`` and ``open`` share."""

from __future__ import annotations

from typing import Annotated

import typer

Workload = Annotated[
    str,
    typer.Argument(
        metavar="WORKLOAD", help="A case, JSON Lines of requests, a trace, or a bundled name."
    ),
]
Backend = Annotated[
    str | None,
    typer.Option(metavar="NAME", help="The model: a name of `batchtui plugins`, or function:M:F."),
]
Slots = Annotated[int | None, typer.Option(min=1, help="Slots of the batch (max_num_seqs).")]
Policy = Annotated[str | None, typer.Option(metavar="NAME", help="The order of the queue.")]
Seed = Annotated[int, typer.Option(help="Seed of the simulated model.")]
KvBlocks = Annotated[
    int | None,
    typer.Option(min=1, help="KV blocks in all (num_gpu_blocks); unlimited unless said."),
]
BlockSize = Annotated[int | None, typer.Option(min=1, help="Tokens in a KV block.")]
MaxModelLen = Annotated[
    int | None, typer.Option(min=1, help="Most tokens of prompt and output together.")
]
Retries = Annotated[
    int | None, typer.Option(min=0, help="Times a failed call is made again whole, then halved.")
]
EmptyReplies = Annotated[
    int | None, typer.Option(min=1, help="Replies without a token that end a request in error.")
]
AsJson = Annotated[bool, typer.Option("--json", help="Print one JSON document and nothing else.")]
Check = Annotated[bool, typer.Option("--check", help="Check every invariant after every turn.")]
