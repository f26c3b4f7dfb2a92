"""The installed package is tested, not the sources: they hold neither the library nor its table."""

import os

os.environ.setdefault("MPLBACKEND", "Agg")
