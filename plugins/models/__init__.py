"""The backends: each is a ``Model`` and found by the entry point group ``batchtui.models``."""
