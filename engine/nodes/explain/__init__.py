"""Explains a search: why a node is called good or bad, or why nothing can be said of it yet.

From the view and the history; nothing here is asked of the machine.
"""
