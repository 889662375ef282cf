"""A debugger for LLM serving that lives in a terminal.

The package root holds no logic and imports nothing: ``batchtui.engine`` decides,
``batchtui.plugins`` touches the world, ``batchtui.tui`` shows it.
"""

__version__ = "0.1.0"
