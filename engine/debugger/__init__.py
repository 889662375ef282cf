"""The debugger: drives any machine by steps and phases, and folds what it says into a view."""
