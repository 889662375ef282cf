"""What a person says of a search to ``batchtui nodes``: a field an option."""

from __future__ import annotations

import shlex
from dataclasses import dataclass, fields
from pathlib import PurePath
from typing import TYPE_CHECKING, Annotated

import typer

from batchtui.engine.errors import InputError
from batchtui.tui.cli.amounts import seconds, share
from batchtui.tui.cli.options import whole_number

if TYPE_CHECKING:
    from batchtui.engine.nodes.inventory import Inventory
    from batchtui.plugins.formats.nodes_case import NodesCase
    from batchtui.plugins.searches import SearchOptions

_STRATEGIES = "fewest-tests (the default), fewest-rounds, fastest, staged, anchor"
_LIST = "gpu-[017,044], or numbers: 17,44 or 3-9"


@dataclass(frozen=True)
class SearchSaid:
    """The options of a search as they were said; None for what was not."""

    case: Annotated[
        str | None,
        typer.Argument(
            metavar="[CASE]", help="A nodes case: one JSON object that says which nodes there are."
        ),
    ] = None
    nodes: Annotated[
        int | None,
        typer.Option(parser=whole_number(1), metavar="N", help="So many nodes, gpu-000 and on."),
    ] = None
    inventory: Annotated[
        str | None,
        typer.Option(metavar="FILE", help="Hosts: JSON Lines, JSON, CSV or plain text."),
    ] = None
    bad: Annotated[
        str | None,
        typer.Option(metavar="LIST", help=f"SIM: the nodes that are bad: {_LIST}."),
    ] = None
    strategy: Annotated[
        str | None, typer.Option(metavar="NAME", help=f"How sets are chosen: {_STRATEGIES}.")
    ] = None
    probe: Annotated[
        str | None,
        typer.Option(
            metavar="NAME",
            help="What tests a set; see `batchtui plugins`; simulated unless said.",
        ),
    ] = None
    seed: Annotated[
        int | None,
        typer.Option(parser=whole_number(), metavar="N", help="Seed of all that is drawn."),
    ] = None
    exclude: Annotated[
        str | None, typer.Option(metavar="LIST", help="Nodes that are never touched.")
    ] = None
    time_budget: Annotated[
        float | None,
        typer.Option(
            parser=seconds, metavar="TIME", help="Begin no test that might end later, as 10m."
        ),
    ] = None
    max_parallel: Annotated[
        int | None,
        typer.Option(parser=whole_number(1), metavar="W", help="Most tests at once."),
    ] = None
    timeout: Annotated[
        float | None,
        typer.Option(
            parser=seconds, metavar="TIME", help="A test that takes longer has failed; 120s."
        ),
    ] = None
    pass_time: Annotated[
        float | None,
        typer.Option(parser=seconds, metavar="TIME", help="How long a passing test takes; 40s."),
    ] = None
    fail_time: Annotated[
        float | None,
        typer.Option(
            parser=seconds,
            metavar="TIME",
            help="How long a failing test takes; the timeout unless said.",
        ),
    ] = None
    false_alarms: Annotated[
        float | None,
        typer.Option(parser=share, metavar="SHARE", help="SIM: healthy sets that fail, as 1%."),
    ] = None
    misses: Annotated[
        float | None,
        typer.Option(
            parser=share, metavar="SHARE", help="SIM: sets with a bad node that pass, as 1%."
        ),
    ] = None
    confirm: Annotated[
        bool,
        typer.Option("--confirm", help="Test again what was found, since tests sometimes lie."),
    ] = False

    def opened(self) -> NodesCase:
        """What is to be tested.

        Raises:
            InputError: nothing was said of that, or more than one thing; or there is no such file,
                or something in it is wrong.
        """
        from batchtui.engine.nodes.inventory import numbered  # noqa: PLC0415
        from batchtui.plugins.inventories import open_inventory  # noqa: PLC0415
        from batchtui.plugins.nodes_cases import open_case  # noqa: PLC0415
        from batchtui.plugins.searches import case_of  # noqa: PLC0415

        said = [given is not None for given in (self.case, self.nodes, self.inventory)]
        if sum(said) != 1:
            seen = "nothing to test" if not any(said) else "too much to test"
            raise InputError(f"{seen}: want one of a CASE, --nodes N and --inventory FILE")
        if self.case is not None:
            return open_case(self.case)
        if self.inventory is not None:
            return case_of(open_inventory(self.inventory), PurePath(self.inventory).name)
        return case_of(numbered(self.nodes or 0), f"{self.nodes} nodes")

    def options(self, inventory: Inventory) -> SearchOptions:
        """The options of a search in this inventory.

        Raises:
            InputError: a list names a node that is not in it.
        """
        from batchtui.plugins.inventories import selected  # noqa: PLC0415
        from batchtui.plugins.searches import SearchOptions  # noqa: PLC0415

        exclude, bad = self.exclude, self.bad
        simulated: dict[str, object] = {
            "false_alarms": self.false_alarms,
            "misses": self.misses,
            "bad": None if bad is None else selected(bad, inventory, "--bad"),
        }
        return SearchOptions(
            strategy=self.strategy,
            probe=self.probe,
            seed=self.seed,
            exclude=() if exclude is None else selected(exclude, inventory, "--exclude"),
            max_parallel=self.max_parallel,
            timeout_s=self.timeout,
            pass_s=self.pass_time,
            fail_s=self.fail_time,
            time_budget_s=self.time_budget,
            confirms=self.confirm,
            simulated={name: value for name, value in simulated.items() if value is not None},
        )

    @property
    def command(self) -> str:
        """What a person would type to do the same; of a path only the name is kept."""
        words = ["batchtui", "nodes"]
        for field in fields(self):
            value = getattr(self, field.name)
            if value is None or value is False:
                continue
            if field.name in ("case", "inventory"):
                value = PurePath(value).name
            if field.name != "case":
                words.append("--" + field.name.replace("_", "-"))
            if value is not True:
                words.append(str(value))
        return shlex.join(words)
