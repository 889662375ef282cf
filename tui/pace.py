"""The free run: how many steps are due, and how often the screen is painted.

Arithmetic over a clock that is handed in; the screen owns the timers. No slice begins another step
after 15 ms, so keys are answered while a run goes as fast as it can.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from batchtui.tui.session import Session

SPEEDS: tuple[int | None, ...] = (1, 2, 5, 10, 30, None)
"""Steps a second; None is as fast as it goes."""

SLICE_S = 0.015
_BREATH_S = 0.001
_SLOWEST_FPS = 1.0


class FreeRun:
    """Steps a session at a speed.

    Args:
        clock: seconds, monotonic.
    """

    def __init__(self, session: Session[Any], clock: Callable[[], float]) -> None:
        self._session = session
        self._clock = clock
        self._speed = SPEEDS.index(5)
        self._due = 0.0
        self.rushing = False

    @property
    def speed(self) -> int | None:
        """Steps a second; None is as fast as it goes, as it is while somebody is ``rushing``."""
        return None if self.rushing else SPEEDS[self._speed]

    @property
    def words(self) -> str:
        """The speed as the top line shows it."""
        return "max" if self.speed is None else f"{self.speed}/s"

    def start(self, *, rushing: bool = False) -> None:
        """Begin to run: the first step is due now."""
        self._due, self.rushing = self._clock(), rushing

    def faster(self) -> None:
        """Take the next speed up."""
        self._speed = min(self._speed + 1, len(SPEEDS) - 1)
        self._due = min(self._due, self._clock())

    def slower(self) -> None:
        """Take the next speed down."""
        self._speed = max(self._speed - 1, 0)

    def slice(self) -> float | None:
        """Make the steps that are due, for at most 15 ms.

        Returns:
            In how many seconds the next slice is due; None where no step is left, or where there
            is a reason to stop.
        """
        until = self._clock() + SLICE_S
        while (now := self._clock()) < until:
            if (wait := self.wait(now)) > 0:
                return wait
            if not self._session.advance_step() or self._session.stopped:
                return None
            self.begun(now)
            if self._session.blocks:  # the next one is no longer a replay
                break
        return _BREATH_S

    def wait(self, now: float) -> float:
        """In how many seconds the next step is due; 0 or less if it is."""
        return 0.0 if self.speed is None else self._due - now

    def begun(self, now: float) -> None:
        """Note that a step was begun; what a slow one has missed is not made up for in a burst."""
        if self.speed is not None:
            self._due = max(self._due, now - SLICE_S) + 1 / self.speed

    def run_to(self, step: int) -> bool:
        """Make steps up to ``step``, for at most 15 ms. False while it is not there yet."""
        until = self._clock() + SLICE_S
        while self._session.step < step and self._clock() < until:
            if not self._session.advance_step() or self._session.stopped:
                return True
        return self._session.step >= step


class FrameRate:
    """How often the screen is painted: as asked, and half as often while a frame takes too long."""

    def __init__(self, fps: float) -> None:
        self._asked = 1 / fps
        self.interval = self._asked

    def took(self, seconds: float) -> None:
        """Note what a frame took."""
        if seconds > self.interval / 2:
            self.interval = min(self.interval * 2, max(1 / _SLOWEST_FPS, self._asked))
        elif seconds < self.interval / 8:
            self.interval = max(self.interval / 2, self._asked)
