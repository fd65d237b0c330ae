"""Every relative link of every document leads to a file, or to a heading of one."""

from __future__ import annotations

import re

import pytest

from tests.architecture.tree import ROOT, text, tracked

LINK = re.compile(r"\[[^\]]+\]\(([^)\s]+)\)")
HEADING = re.compile(r"^#+ +(.*)$", re.MULTILINE)
FENCED = re.compile(r"^```.*?^```", re.MULTILINE | re.DOTALL)
DOCUMENTS = [name for name in tracked() if name.endswith(".md")]


def anchors(document: str) -> set[str]:
    """Headings as GitHub turns them into anchors."""
    titles = HEADING.findall(FENCED.sub("", document))
    kept = (re.sub(r"[^\w\- ]", "", title.lower()) for title in titles)
    return {title.strip().replace(" ", "-") for title in kept}


def test_there_are_documents() -> None:
    assert "README.md" in DOCUMENTS


@pytest.mark.parametrize("name", DOCUMENTS)
def test_links_lead_somewhere(name: str) -> None:
    lost = []
    for target in LINK.findall(FENCED.sub("", text(name))):
        if re.match(r"[a-z]+:", target):
            continue
        path, _, anchor = target.partition("#")
        file = (ROOT / name).parent / path if path else ROOT / name
        if not file.exists() or (anchor and anchor not in anchors(file.read_text("utf-8"))):
            lost.append(target)
    assert lost == []
