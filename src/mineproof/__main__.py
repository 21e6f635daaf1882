"""The command line, as ``python -m mineproof``."""

import sys

from mineproof.cli import main

if __name__ == "__main__":
    sys.exit(main())
