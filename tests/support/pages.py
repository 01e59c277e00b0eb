"""The Markdown pages of the repository: their text, links, headings and fenced blocks. Not a Markdown parser."""

from __future__ import annotations

import re
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
FOLDERS = ("bench", "clients", "docs", "examples", "proto")


def pages() -> list[Path]:
    """Every page that people read."""
    return sorted([*ROOT.glob("*.md"), *[path for name in FOLDERS for path in (ROOT / name).rglob("*.md")]])


def text_of(name: str) -> str:
    """The text of a page, by its path from the root."""
    return (ROOT / name).read_text(encoding="utf-8")


def prose(text: str) -> str:
    """The text without its fenced blocks."""
    return re.sub(r"^```.*?^```$", "", text, flags=re.MULTILINE | re.DOTALL)


def links(text: str) -> list[str]:
    """The targets of all links."""
    return re.findall(r"\]\(([^)\s]+)\)", prose(text))


def anchors(text: str) -> set[str]:
    """What a link may name behind `#`: the headings, as hosts of repositories write them."""
    headings = re.findall(r"^#+ (.+)$", prose(text), re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}


def blocks(text: str, language: str) -> list[str]:
    """The fenced blocks of a language, in order."""
    return re.findall(rf"^```{language}\n(.*?)^```$", text, re.MULTILINE | re.DOTALL)


def section(text: str, heading: str) -> str:
    """What stands below a heading of the second level, up to the next."""
    found = re.search(rf"^## {re.escape(heading)}\n(.*?)(?=^## |\Z)", text, re.MULTILINE | re.DOTALL)
    assert found, f"there is no heading {heading!r}"
    return found[1]


def rows(text: str) -> list[list[str]]:
    """The cells of every row of every table, header lines left out."""
    lines = re.findall(r"^\|(.+)\|$", text, re.MULTILINE)
    cells = [[cell.strip() for cell in re.split(r"(?<!\\)\|", line)] for line in lines]
    rules = [index for index, row in enumerate(cells) if set("".join(row)) <= set("- :")]
    headers = {index - 1 for index in rules}
    return [row for index, row in enumerate(cells) if index not in headers and index not in rules]
