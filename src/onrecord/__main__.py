"""`python -m onrecord` is the command line."""

import sys

from onrecord.cli import main

if __name__ == "__main__":
    sys.exit(main())
