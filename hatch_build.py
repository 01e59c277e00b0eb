"""Hatch build hook: makes the Python wire types from proto/ for wheel, sdist and editable installs."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface


class ProtoHook(BuildHookInterface):  # type: ignore[type-arg]  # hatchling's own annotation is bare
    """Runs scripts/gen_python.py before files are collected."""

    PLUGIN_NAME = "proto"

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:  # noqa: ARG002  # hatchling's signature
        """Generates the code in the source tree, where git ignores it and `artifacts` ships it."""
        root = Path(self.root)
        sys.path.insert(0, str(root / "scripts"))
        import gen_python

        gen_python.main(root)
