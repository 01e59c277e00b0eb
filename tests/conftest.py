"""What all tests share: the repository's root on the path, so that `tests.support` imports, and golden files."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path

import pytest

TESTS = Path(__file__).resolve().parent
sys.path.insert(0, str(TESTS.parent))


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--update-golden", action="store_true", help="rewrite the files of tests/golden; review the diff")


@pytest.fixture
def golden(request: pytest.FixtureRequest) -> Callable[[str, str], None]:
    """Compares a text with the golden file of that name, relative to tests/golden, or rewrites the file."""

    def compare(name: str, text: str) -> None:
        path = TESTS / "golden" / name
        if request.config.getoption("--update-golden"):
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="ascii")
        assert path.is_file(), f"there is no tests/golden/{name}; make it with --update-golden"
        assert text.splitlines() == path.read_text(encoding="ascii").splitlines(), f"tests/golden/{name} differs"

    return compare
