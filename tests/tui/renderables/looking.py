"""Scenes as a session has them: with its ribbon, its head, and what is known about the picked."""

from __future__ import annotations

from typing import Any

from batchtui.engine.batching.explain.passing import passed_by
from batchtui.tui.batch_session import BatchSession
from batchtui.tui.renderables.scene import Choice, Mode, Scene


def seen(
    session: BatchSession,
    *,
    asks: bool = False,
    **fields: Any,  # a scene's own
) -> Scene:
    """What a screen shows of a session where it looks; ``asks`` why of the picked request."""
    choice = fields.get("choice", Choice())
    cursor = session.debugger.cursor
    mode = Mode.PAST if session.in_past else Mode.ENDED if session.ended else Mode.PAUSED
    made: dict[str, Any] = {
        "view": session.view,
        "title": session.title,
        "phases": session.phases,
        "started": session.started,
        "mode": mode,
        "head": session.outlook.head,
        "ribbon": session.outlook.ribbon,
        "lints": session.outlook.lints(),
        "story": session.outlook.story(choice.request_id) if choice.request_id else None,
        "turn": cursor.turn,
        "passed_by": passed_by(
            session.view.first_waiting(40), session.view, session.history, cursor.turn
        ),
        "why": session.outlook.why(choice.request_id) if asks else None,
    }
    return Scene(**{**made, **fields})


def back_to(session: BatchSession, step: int) -> BatchSession:
    """The same session, looking at the end of a step."""
    session.look(lambda debugger: debugger.to_step(step))
    return session
