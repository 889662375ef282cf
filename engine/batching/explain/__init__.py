"""Explains a batching run: why a request waits, runs or has ended, and what looks wrong.

From the view, the history and the policy's own key; nothing here is asked of the machine.
"""
