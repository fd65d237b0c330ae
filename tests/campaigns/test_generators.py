"""The short tier: one language of the six is generated and compiled; what it takes is published."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.campaigns import generators


@pytest.mark.slow("document")
@pytest.mark.timeout(400)
def test_the_python_client_of_openapi_generator_is_made_and_imported() -> None:
    made = generators.build("python")
    assert "models and apis imported" in made.words()
    assert made.files > generators.CLASSES
    assert made.generating > 1
    assert made.compiling > generators.MEASURED


def test_all_six_languages_are_in_the_campaign() -> None:
    by_openapi_generator = {name for name, each in generators.TARGETS.items() if each.generator}
    assert by_openapi_generator == {"typescript", "python", "java", "csharp", "rust", "go"}


def test_all_generators_through_which_games_are_played_are_in_the_campaign() -> None:
    others = {name for name, each in generators.TARGETS.items() if not each.generator}
    assert others == {"openapi-typescript", "hey-api", "openapi-python-client"}


def test_what_it_takes_stands_in_the_page_for_each_of_them() -> None:
    page = generators.PAGE.read_text("utf-8")
    told = page.partition(generators.BEGIN)[2].partition(generators.END)[0]
    rows = re.findall(
        r"^\| ([\w-]+) \| ([\d,]+) \| (\d+) s \| (?:(\d+) s)? \| (.+) \|$", told, re.M
    )
    assert [name for name, *_ in rows] == list(generators.TARGETS)
    for name, _, generating, compiling, how in rows:
        assert int(generating) > 0, name
        assert bool(compiling) == (not how.startswith("not compiled")), name


def test_what_was_not_compiled_has_no_figure(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    page = tmp_path / "page.md"
    page.write_text(f"before\n{generators.BEGIN}old\n{generators.END}after\n", "utf-8")
    monkeypatch.setattr(generators, "PAGE", page)
    made = [
        generators.Made("one", 1200, "tsc", 3.4, 8.6),
        generators.Made("two", 9, "not compiled", 2, 0),
    ]
    generators.write(made)
    lines = page.read_text("utf-8").splitlines()
    assert lines[4:6] == [
        "| one | 1,200 | 3 s | 9 s | tsc |",
        "| two | 9 | 2 s |  | not compiled |",
    ]
    assert (lines[0], lines[-1]) == ("before", "after")


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
