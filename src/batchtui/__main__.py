"""``python -m batchtui``."""

from batchtui.tui.cli import main

if __name__ == "__main__":
    main()
