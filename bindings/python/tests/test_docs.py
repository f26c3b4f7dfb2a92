"""The examples in the documentation are true."""

import doctest
import importlib

import pytest


@pytest.mark.parametrize("name", ["_lib", "_lcp", "_model", "_sink", "_builder", "_stepper", "plot", "viewer"])
def test_docstrings_say_what_happens(name):
    found = doctest.testmod(importlib.import_module(f"stiction.{name}"))
    assert found.attempted > 0 and found.failed == 0
