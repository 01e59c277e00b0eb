"""No page sends its reader nowhere."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.support.pages import ROOT, anchors, links, pages


def name_of(page: Path) -> str:
    return page.relative_to(ROOT).as_posix()


@pytest.mark.parametrize("page", pages(), ids=name_of)
def test_every_link_within_the_repository_leads_somewhere(page: Path) -> None:
    text = page.read_text(encoding="utf-8")
    broken = [link for link in links(text) if "://" not in link and not leads_somewhere(page, link)]
    assert not broken


def leads_somewhere(page: Path, link: str) -> bool:
    path, _, anchor = link.partition("#")
    target = (page.parent / path).resolve() if path else page
    inside = target.is_relative_to(ROOT) and target.exists()
    return inside and (not anchor or anchor in anchors(target.read_text(encoding="utf-8")))


def test_every_page_below_docs_can_be_reached_from_the_readme() -> None:
    waiting, reached = [ROOT / "README.md"], set[Path]()
    while waiting:
        page = waiting.pop()
        if page not in reached:
            reached.add(page)
            local = [link.partition("#")[0] for link in links(page.read_text(encoding="utf-8")) if "://" not in link]
            targets = [(page.parent / link).resolve() for link in local]
            waiting += [target for target in targets if target.suffix == ".md" and target.exists()]
    below = [page for page in pages() if page.is_relative_to(ROOT / "docs")]
    assert [name_of(page) for page in below if page not in reached] == []
