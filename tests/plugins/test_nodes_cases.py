"""What a file is told by its beginning: a nodes case, an inventory, or neither."""

from __future__ import annotations

from pathlib import Path

import pytest

from batchtui.plugins.nodes_cases import is_case, is_inventory


@pytest.mark.parametrize(
    ("text", "is_one"),
    [
        ("node,rack\nh1,A\n", True),
        ("# ours\nHostname;Rack\nh1;A\n", True),
        ("gpu-[000-003]\nlogin\n", True),
        ('{"node": "h1"}\n', True),
        ("request,time\n1 2,3\n", False),
        ('{"request_id": "r1", "prompt": "node"}\n', False),
        ("", False),
    ],
)
def test_an_inventory_is_told_by_its_columns_or_its_hosts(
    tmp_path: Path, text: str, is_one: bool
) -> None:
    path = tmp_path / "hosts"
    path.write_text(text)
    assert (is_inventory(str(path)), is_case(str(path))) == (is_one, False)


def test_a_case_has_nodes_and_no_requests(tmp_path: Path) -> None:
    path = tmp_path / "c.json"
    path.write_text('{"nodes": 3}')
    assert (is_case(str(path)), is_inventory(str(path)), is_case("gpus")) == (True, False, True)
    path.write_text('{"nodes": 3, "requests": []}')
    assert not is_case(str(path))
