"""Fails on an import, as a bot whose needs are not installed."""

from importlib import import_module

import_module("a_library_that_is_not_installed")
