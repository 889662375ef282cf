from __future__ import annotations

import msgspec
import pytest

from batchtui.engine.batching.config import MAX_NUM_SEQS
from batchtui.engine.batching.options import Options


@pytest.mark.parametrize("number", [0, -1, MAX_NUM_SEQS + 1, 1 << 70])
def test_a_number_of_slots_that_cannot_be_is_refused(number: int) -> None:
    with pytest.raises(ValueError, match=f"max_num_seqs is {number}: want 1 to {MAX_NUM_SEQS}"):
        Options(max_num_seqs=number)


def test_what_is_not_said_is_not_written() -> None:
    assert msgspec.json.encode(Options(policy="fcfs")) == b'{"policy":"fcfs"}'
    assert Options(max_num_seqs=1).policy is None
