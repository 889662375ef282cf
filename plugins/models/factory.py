"""Opens a model by the words of the command line: ``simulated``, ``function:package.module:name``.

What stands before the first colon is the name of a plugin of the group ``batchtui.models``; what
stands after it is the plugin's own to read.
"""

from __future__ import annotations

from typing import NamedTuple, Protocol, runtime_checkable

from batchtui.engine.errors import BatchtuiError, InputError, PluginError
from batchtui.engine.model import Model
from batchtui.plugins import registry

_PARTS = ("name", "max_model_len", "eos_token_ids", "encode", "token_bytes", "forward")


class ModelOptions(NamedTuple):
    """What a model is opened with.

    ``argument`` is what was said after the name and a colon, None where there was no colon;
    ``seed`` is the run's, for a model that draws; ``max_num_seqs`` the slots that its rows come
    from, numbered from 0; ``max_model_len`` the user's bound on prompt and output together.
    """

    argument: str | None = None
    seed: int = 0
    max_num_seqs: int = 1
    max_model_len: int | None = None


@runtime_checkable
class ModelFactory(Protocol):
    """What a plugin of the group ``batchtui.models`` has, usually as a class method of its model.

    One without it is opened by nobody but a workload that brings it, as a case brings its script.
    """

    def from_options(self, options: ModelOptions) -> Model:
        """Open the model.

        Raises:
            InputError or PluginError: the argument does not fit; says what was seen and what to do.
        """


def open_model(spec: str, options: ModelOptions) -> Model:
    """Open the model that ``NAME`` or ``NAME:ARGUMENT`` asks for, with the rest of the options.

    Raises:
        PluginError: there is no such model, it does not load or open, or what opens is no model.
        InputError: its argument does not fit, or only a workload can bring it.
    """
    name, colon, argument = spec.partition(":")
    factory = registry.load(registry.MODELS, name)
    if not isinstance(factory, ModelFactory):
        raise InputError(
            f"model {name!r} is not opened by its name: it comes with a workload, as a script "
            "comes with a case; run such a workload, or choose another model"
        )
    try:
        model = factory.from_options(options._replace(argument=argument if colon else None))
        fault = _fault(model)
    except BatchtuiError:
        raise
    except (Exception, SystemExit) as error:  # whatever a plugin's own code raises
        raise PluginError(f"model {name!r} does not open: {registry.reason(error)}") from error
    if fault:
        raise PluginError(f"model {name!r} is no model: {fault}")
    return model


def _fault(model: object) -> str:
    """What a model lacks before it is run, "" if nothing; ``contract.py`` tests the rest."""
    missing = [part for part in _PARTS if not hasattr(model, part)]
    if missing:
        return f"a {type(model).__name__} without {', '.join(missing)}"
    most = getattr(model, "max_model_len", None)
    if most is not None and (type(most) is not int or most < 1):
        return f"its max_model_len is {most!r}: want a whole number from 1 up, or None"
    eos = getattr(model, "eos_token_ids", None)
    if not isinstance(eos, frozenset):
        return f"its eos_token_ids is a {type(eos).__name__}: want a frozenset of token ids"
    return ""
