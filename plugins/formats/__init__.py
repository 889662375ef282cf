"""The readers: each turns a file into a ``Workload``, and is told apart by the file's content."""
