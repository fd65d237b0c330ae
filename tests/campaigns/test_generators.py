"""The short tier: one language of the six is generated and compiled."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.campaigns import generators


@pytest.mark.slow("document")
@pytest.mark.timeout(400)
def test_the_python_client_of_openapi_generator_is_made_and_imported() -> None:
    said = generators.build("python")
    assert said.startswith("python: ")
    assert "models and apis imported" in said


def test_all_six_languages_are_in_the_campaign() -> None:
    assert set(generators.TARGETS) == {"typescript", "python", "java", "csharp", "rust", "go"}


def test_a_reader_is_shown_unions_and_names_of_what_is_not_compiled(tmp_path: Path) -> None:
    folder = tmp_path / "models"
    folder.mkdir()
    texts = {"order": '"sail" => Sail, "fire" => Fire', "sail": "", "order_inner": "", "mod": ""}
    for name, text in texts.items():
        (folder / f"{name}.rs").write_text(text, "utf-8")
    mapping = {"sail": "#/components/schemas/Sail", "fire": "#/components/schemas/Fire", "dive": ""}
    schemas = {"Order": {"discriminator": {"mapping": mapping}}, "Sail": {}, "Fire": {}}
    found = generators.look(sorted(folder.iterdir()), {"components": {"schemas": schemas}})
    assert found.unions == (("order.rs", 2, 3),)
    assert (found.gone, found.more) == (("Fire",), ("order_inner",))
    assert found.words()[0] == "  order.rs: 2 of 3 tags"
