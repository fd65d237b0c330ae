"""The text of an ability says what limits it, and its effects keep to that."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, get_args

import msgspec
import pytest

from domain.games import war_at_sea
from domain.games.war_at_sea.rules.families import deeds, hooks
from domain.games.war_at_sea.shown.catalogue import CATALOGUE

FAMILIES = {
    path.stem: tomllib.loads(path.read_text("utf-8"))
    for path in sorted((Path(war_at_sea.__file__).parent / "rules" / "families").glob("*.toml"))
}
LIMITS = {"turn": "once (?:a|per|each) turn", "game": "once (?:a|per|each) game"}
"""How texts say a limit, by the word of the vocabulary. A text may say it by its occasion, too."""

DARK = "dark|night|twilight"


def faults(family: dict[str, Any]) -> list[str]:
    """What the text says and the data do not, or the other way round."""
    text = str(family["text"]).lower()
    found = [
        f"the text says {said!r}, and the limit is {family.get('limit', 'none')}"
        for limit, said in LIMITS.items()
        if re.search(said, text) and family.get("limit") != limit
    ]
    circumstances = [effect for effect in family.get("effects", ()) if effect.get("dark")]
    if circumstances and not re.search(DARK, text):
        found.append("an effect works in darkness only, and the text does not say so")
    decides = DECIDES.search(PERMITS.sub("", str(family["text"])))
    if decides and family.get("timing", "automatic") == "automatic":
        found.append(f"the text says {decides[0]!r}: its owner decides, and the data do not")
    if ("while undamaged" in text) != (family.get("lost") == "damaged"):
        found.append(f"'while undamaged' is lost = damaged, and lost is {family.get('lost')}")
    targets = {type_ for effect in family.get("effects", ()) for type_ in effect.get("target", ())}
    unsaid = sorted(type_ for type_ in targets if type_[:6].lower() not in text)
    if unsaid:
        found.append(f"an effect is about {unsaid}, and the text does not say so")
    return [*found, *_elsewhere(family)]


TYPE = r"(?:(?:cruiser|destroyer|battleship|carrier|fighter|bomber|auxiliar|ship)(?:y|ies|s)?)"
ATTACKS_ON = re.compile(
    r"\b(?:(main|secondary|tertiary) )?(gunnery|torpedo|bomb|antiair|asw) attacks? on "
    rf"(?:an? )?(?:enemy )?({TYPE}(?: and {TYPE})*)"
)


def _elsewhere(family: dict[str, Any]) -> Iterator[str]:
    """Attacks of a kind on a type, as the text has it, that no effect is about."""
    effects = [each for each in family.get("effects", ()) if "target" in each or "attacks" in each]
    for said in ATTACKS_ON.finditer(str(family["text"]).lower()):
        kind, types = said[1] or said[2], [each[:6].capitalize() for each in said[3].split(" and ")]
        if effects and not any(
            each.get("attacks") == [kind] and _same(types, each.get("target", ()))
            for each in effects
        ):
            yield f"the text says {said[0]!r}, and no effect is about just those"


def _same(types: Sequence[str], target: Sequence[str]) -> bool:
    """Whether an effect is about each of these types, which are told by how they begin."""
    return all(any(each.startswith(type_) for each in target) for type_ in types)


DECIDES = re.compile(
    r"\b(may\b(?! not\b)|declared|optional\w*|chooses?|chosen|picks?)\b", re.IGNORECASE
)
PERMITS = re.compile(r"\bmay (?:be based|be at range|hold|target|fire at range)\b", re.IGNORECASE)
"""What is allowed of itself, and nothing to be decided."""


@pytest.mark.parametrize("name", FAMILIES)
def test_text_and_data_agree(name: str) -> None:
    assert faults(FAMILIES[name]) == []


STAR_SHELL = {
    "text": "In Darkness, once a turn, it may roll two more dice.",
    "limit": "turn",
    "timing": "optional",
    "effects": [{"word": "dice", "dark": True}],
}


@pytest.mark.parametrize(
    "spoilt",
    [
        {"limit": "game"},
        {"limit": "none"},
        {"text": "Once a turn, it may roll two more dice."},
        {"timing": "automatic"},
        {"timing": "automatic", "text": "In Darkness, once a turn, optionally: two more dice."},
    ],
)
def test_a_text_that_says_otherwise_is_found(spoilt: dict[str, Any]) -> None:
    assert faults(STAR_SHELL) == []
    assert faults(STAR_SHELL | spoilt)


HUNTER = {"word": "dice", "add": 1, "attacks": ["main"], "target": ["Cruiser"]}


@pytest.mark.parametrize(
    "spoilt",
    [{"attacks": ["gunnery"]}, {"attacks": ["torpedo"]}, {"target": []}, {"target": ["Destroyer"]}],
    ids=str,
)
def test_other_attacks_or_targets_than_the_text_has_are_found(spoilt: dict[str, Any]) -> None:
    hunter = {"text": "Rolls one more die in main gunnery attacks on Cruisers."}
    assert faults(hunter | {"effects": [HUNTER]}) == []
    assert faults(hunter | {"effects": [HUNTER | spoilt]})
    assert faults(hunter | {"effects": [HUNTER], "lost": "damaged"})
    assert faults({"text": "Rolls one more die while undamaged."})
    assert faults({"text": "Rolls one more die.", "effects": [HUNTER]})
    both = {"text": "Rolls one more die in main gunnery attacks on Cruisers and Destroyers."}
    assert faults(both | {"effects": [HUNTER]})
    assert faults(both | {"effects": [HUNTER | {"target": ["Destroyer", "Cruiser"]}]}) == []


RULES = {rule.id: rule for rule in CATALOGUE.rules() if rule.area != "CARD"}
OF_MANY = {
    "expert-torpedoes": "Expert Torpedo Bomber",
    "improved-radar": "Night Fighter and radar",
    "night-fighter": "Night Fighter and radar",
    "radar-fire-control": "Night Fighter and radar",
    "shallow-draft": "Island entry",
}
"""Abilities of which the rulebook speaks under another title."""


def plain(name: str) -> str:
    """An ability's name without number and bracket."""
    return re.sub(r"\(.*\)|\{n\}", "", name).strip()


@pytest.mark.parametrize("name", FAMILIES)
def test_the_rule_of_an_ability_is_the_one_about_it(name: str) -> None:
    id = str(FAMILIES[name]["id"])
    if not id.startswith("WAS-ABIL-"):
        assert id == f"WAS-CARD-{name}"
        assert plain(FAMILIES[name]["name"]) not in {rule.title for rule in RULES.values()}
        return
    wanted = OF_MANY.get(name, plain(FAMILIES[name]["name"]))
    assert RULES[id].title == wanted, f"{name}.toml cites {id}, which is about another ability"


def test_abilities_under_another_title_are_still_so() -> None:
    titles = {name: plain(FAMILIES[name]["name"]) for name in OF_MANY}
    assert not [
        name for name, title in titles.items() if RULES[FAMILIES[name]["id"]].title == title
    ]


def slug(name: str) -> str:
    """The file of an ability that is called so: cards name the file, readers see the name."""
    words = re.findall(r"[a-z0-9]+", name.replace("{n}", "").replace("'", "").lower())
    return "-".join(words)


def test_an_ability_is_called_as_its_file_is() -> None:
    assert not {name: family["name"] for name, family in FAMILIES.items()
                if slug(str(family["name"])) != name}  # fmt: skip
    assert slug("Extended Range {n}") == "extended-range" != slug("Extented Range {n}")


# --- the vocabulary's table -----------------------------------------------------------------------

README = (Path(war_at_sea.__file__).parent / "rules" / "families" / "README.md").read_text("utf-8")


def keys(readme: str) -> dict[str, set[str]]:
    """The keys of each word, as its row has them."""
    rows = re.findall(r"^\| `([\w-]+)` \| ([^|]*)\|", readme, re.MULTILINE)
    return {word: set(re.findall(r"`(\w+)`", cell)) for word, cell in rows}


@pytest.mark.parametrize("kind", get_args(hooks.Hook | deeds.Deed), ids=lambda each: each.__name__)
def test_the_row_of_a_word_has_its_keys(kind: Any) -> None:
    fields = {each.encode_name for each in msgspec.structs.fields(kind)}
    assert keys(README)[kind.__struct_config__.tag] == fields, "families/README.md, or the word"


def test_a_key_that_lacks_is_found() -> None:
    assert "stays" in keys(README)["dodge"]
    assert "stays" not in keys(README.replace("`needed`, `stays`", "`needed`"))["dodge"]
