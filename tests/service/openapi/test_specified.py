"""Every schema that a proof is made of names the section of the specification that defines it."""

from __future__ import annotations

from service.http import guide
from service.openapi.document import plain
from service.openapi.specified import SECTIONS

SCHEMAS = plain()["components"]["schemas"]


def test_every_record_of_the_platform_names_its_section() -> None:
    """An event about it has its hash beside it, and names none of its own."""
    records = {
        name for name in SCHEMAS if name.startswith("Decklog") and not name.endswith("Event")
    }
    assert records <= SECTIONS.keys() <= SCHEMAS.keys()
    for name in SECTIONS:
        assert SCHEMAS[name]["externalDocs"]["url"] == f"/docs/spec-{SECTIONS[name]}", name


def test_each_section_is_a_page_that_is_served() -> None:
    named = {each["externalDocs"]["url"] for each in SCHEMAS.values() if "externalDocs" in each}
    assert named <= {f"/docs/{page}" for page in guide.specified()}
    assert len(named) == 4
