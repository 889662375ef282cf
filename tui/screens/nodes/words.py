"""What the screens say of a search."""

from __future__ import annotations

from batchtui.tui.screens.stopping import Words

NODES_WORDS = Words(
    breaks="condemn | fail | node gpu-017 | bad >= 2 | test 12 | over, joined by `and`",
    places="a step (41), steps (+10, -10), a node (gpu-017), or a test (T12)",
    no_place="want a step, as in 41, steps, as in +10, a node something happened to, or a test",
    pick_any="pick a node or a test first",
    pick="pick a node first: arrows on the map",
    nothing="nobody is known to be bad: there is no list to copy",
)
