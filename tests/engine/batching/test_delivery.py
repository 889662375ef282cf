from __future__ import annotations

from tests.engine.batching.table import Heard, table

from batchtui.engine.batching import events as said
from batchtui.engine.batching.request import Result


class Raises(Heard):
    """A listener that fails for one request, but hears the others."""

    def __init__(self, request_id: str) -> None:
        super().__init__()
        self.request_id = request_id

    def text(self, request_id: str, delta: str) -> None:
        if request_id == self.request_id:
            raise RuntimeError("the text itself must not be repeated: " + delta)
        super().text(request_id, delta)

    def finished(self, result: Result) -> None:
        if result.request_id == self.request_id:
            raise LookupError(result.text)
        super().finished(result)


def test_a_listener_that_raises_loses_its_own_output_and_nobody_elses() -> None:
    heard = Raises("b")
    desk = table(listener=heard)
    for index, name in enumerate("abc"):
        desk.submit(name, index=index, max_tokens=1)
    desk.finish(lambda key: "x")
    assert heard.texts == [("a", "x"), ("c", "x")]
    assert [result.request_id for result in heard.results] == ["a", "c"]
    assert desk.decoder.status == "done"


def test_its_fault_is_said_by_kind_and_without_its_message() -> None:
    desk = table(listener=Raises("b"))
    desk.submit("b", max_tokens=1)
    desk.finish(lambda key: "x")
    failures = [(event.request_id, event.error) for event in desk.said(said.ListenerFailed)]
    assert failures == [("b", "RuntimeError"), ("b", "LookupError")]


def test_what_is_delivered_is_at_most_one_delta_a_request_and_none_is_empty() -> None:
    desk = table()
    desk.submit("a", stop="en")
    desk.submit("b", index=1)
    desk.reply(desk.call(), {"a": "e", "b": "xyz"})
    desk.turn()
    desk.reply(desk.call(), {"a": "xe", "b": ""})
    desk.turn()
    delivered = [(event.keys, event.texts) for event in desk.said(said.TextDelivered)]
    assert delivered == [([(1, 1, "b")], ["xyz"]), ([(0, 1, "a")], ["ex"])]


def test_text_comes_before_the_result_and_nothing_after_it() -> None:
    order: list[str] = []

    class Order:
        def text(self, request_id: str, delta: str) -> None:
            order.append(delta)

        def finished(self, result: Result) -> None:
            order.append(result.finish_reason)

    desk = table(listener=Order())
    desk.submit("a")
    desk.reply(desk.call(), {"a": "x"})
    desk.turn()
    desk.reply(desk.call(), {"a": "y."})
    desk.turn()
    assert order == ["x", "y", "stop"]


def test_an_id_used_again_within_a_step_has_its_end_told_before_its_successors_text() -> None:
    order: list[str] = []

    class Order:
        def text(self, request_id: str, delta: str) -> None:
            order.append(delta)

        def finished(self, result: Result) -> None:
            order.append(f"{result.index} {result.finish_reason}")

    desk = table(listener=Order(), max_num_seqs=1)
    desk.submit("x", index=0, stop="qz")
    desk.reply(desk.call(), {"x": "aq"})
    desk.turn()
    desk.abort("x")
    desk.submit("x", index=1)
    desk.reply(desk.call(), {"x": "b"})
    desk.turn()
    assert order == ["a", "q", "0 abort", "b"]
    (keys,) = [event.keys for event in desk.said(said.TextDelivered)][1:]
    assert keys == [(0, 1, "x"), (0, 2, "x")]


def test_a_listener_without_a_text_callback_gets_results_alone() -> None:
    class Results:
        text = None

        def __init__(self) -> None:
            self.results: list[Result] = []

        def finished(self, result: Result) -> None:
            self.results.append(result)

    results = Results()
    desk = table(listener=results)
    desk.submit("a")
    desk.reply(desk.call(), {"a": "x."})
    desk.turn()
    assert [result.text for result in results.results] == ["x"]
