"""Each circumstance of an ability's data is said by its text, and each that its text says is data.

An author may change text, data and example together, or one of them alone: the words by which texts
say a circumstance are listed here, so text and data are held to each other whatever the examples
show. A figure has to stand by the word that it belongs to: ``two dice`` is no range of two. What a
mechanism does is code: of those the rulebook and the cases tell.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import msgspec
import pytest
from msgspec.structs import replace

from domain.games.war_at_sea.rules.families import words
from domain.games.war_at_sea.rules.families.vocabulary import Family, families
from tests.support.figures import WORDS

from .test_texts import FAMILIES, LIMITS

SAID = {
    "alone": r"no other friendly ship",
    "another": r"\banother submarine\b",
    "crippled_friend": r"crippled friendly",
    "dark": r"dark|night|twilight",
    "fighter_attacked": r"once a fighter attacks",
    "friend": r"while a friendly [\w ]+ is in its sector",
    "initiative_from": r"or more for initiative",
    "no_enemy_fighter": r"no enemy fighter",
    "spotted": r"another friendly ship has attacked",
    "target_antiair_to": r"whose antiair is",
    "target_damaged": r"\bdamaged (?:ships?|targets?|enem\w+)|that (?:is|are|has|have) damaged",
    "target_unmoved": r"not moved?\b",
    "won_initiative": r"won the initiative",
}
"""How texts say a circumstance, by its field. A text that says it has an effect with it."""

RANGE = r"(?:ranges?|within)(?: range)?(?: \d+ to| of)? N\b|\bN sectors? away"
TURN = r"turns? (?:\d+ (?:to|and|or) )?N\b|first N turns"
FIGURES = {
    "range_from": RANGE,
    "range_to": RANGE,
    "nearest": RANGE,
    "farthest": RANGE,
    "within": RANGE,
    "dice_of": RANGE,
    "turn_from": TURN,
    "turn_to": TURN,
    "initiative_from": r"\bN or more for initiative",
    "target_antiair_to": r"antiair is N\b",
    "sixes": r"\bN or more natural 6s",
    "successes": r"natural 6 [\w ]*is N successes",
    "most": r"at most N\b",
    "ships": r"hold N friendly ships|pick N enemy ships",
}
"""Where the figure N of a field stands in a text, in digits or as a word."""

NOT_ITS_OWN = re.compile(r"[^.]*\bpenalty\b[^.]*\.")
"""What darkness does to all is said where it is taken away."""

LIMIT_IS_DATA = {
    "turn": (
        "combat-air-patrol", "fighter-cover", "fighter-director", "fighter-umbrella", "pinpointer",
        "pursuit-ship", "scout-cruiser", "scout-planes", "shadowing", "sub-hunter", "swarm-tactics",
    ),
    "game": (
        "air-raid", "airfield-strike", "bombard", "divide-the-defense", "drive-off", "embark-b-25",
        "evade-bombs", "evade-torpedoes", "excellent-endurance",
        "general-pursuit", "inactivity", "inspire-to-victory", "inspiring-example", "mines",
        "near-miss", "opening-salvo-gunnery", "opening-salvo-gunnery-torpedo", "radar-picket",
        "radar-solution", "ram", "repair", "rescue-operations", "rocket-attack",
        "shadow-battleship", "shore-support", "sprint", "torpedo-run",
    ),
}  # fmt: skip
"""Families whose text leaves the limit to the field beside it. The list may only shrink."""

DEFAULTS = {
    (kind, each.name): each.default
    for kind in {type(effect) for family in families().values() for effect in family.effects}
    for each in msgspec.structs.fields(kind)
}
WHEN = {each.name: each.default for each in msgspec.structs.fields(words.When)}


def faults(data: dict[str, Any], told: Family) -> list[str]:
    """What the data have and the text does not say, and the other way round."""
    text = str(data["text"]).lower()
    lies = [*turned(text, told), *of_another_kind(text, told)]
    lies += [*otherwise_signed(text, told), *whose(text, told), *other_guns(text, told)]
    lies += [*lost_otherwise(text, told), *of_nothing(text, told)]
    return [*unlike(NOT_ITS_OWN.sub("", text), told), *astray(text, told), *lies]


def unlike(text: str, told: Family) -> Iterator[str]:
    """Circumstances that only one of the two has."""
    effects = [each for each in told.effects if isinstance(each, words.When)]
    for name, said in SAID.items():
        given = any(getattr(each, name) != WHEN[name] for each in effects)
        if given and not re.search(said, text):
            yield f"the data have {name}, and the text does not say so"
        if effects and not given and re.search(said, text):
            yield f"the text says {name}, and no effect has it"


def astray(text: str, told: Family) -> Iterator[str]:
    """Figures that only one of the two has, or that do not stand by their word."""
    known: dict[str, set[int]] = {RANGE: set(), TURN: set()}
    for effect in told.effects:
        for name, where in FIGURES.items():
            value = getattr(effect, name, None)
            if type(value) is int and value != DEFAULTS[type(effect), name]:
                known.setdefault(where, set()).add(value)
                if value not in (0, 99) and not stands(text, value, where):
                    yield f"{name} is {value}, and the text does not say that of it"
    if any(isinstance(each, words.When) for each in told.effects):
        text = NOT_ITS_OWN.sub("", text)
        for where, values in known.items():
            for number in range(1, 13):
                if stands(text, number, where) and number not in values and not own_code(told):
                    yield f"the text says {number} where no effect does: {where}"


LEAST = {"range_from": RANGE, "nearest": RANGE, "turn_from": TURN}
MOST = {"range_to": RANGE, "farthest": RANGE, "within": RANGE, "turn_to": TURN}
DOWN, UP = r" or (?:less|nearer|fewer|earlier)", r" or (?:more|farther|later)"
BEFORE, AFTER = r"(?:until|before|up to|to) ", r"(?:from|after|since) "
INSIDE, OUTSIDE = r"\b(?:within|up to) (?:range )?", r"\b(?:beyond|outside|from) (?:range )?"
"""Words that turn a bound round, behind its figure and before it."""


def turned(text: str, told: Family) -> Iterator[str]:
    """Bounds that the text says the other way round, and dice that it gives for dice it takes."""
    for effect in told.effects:
        for fields, behind, ahead, far in (
            (LEAST, DOWN, BEFORE, INSIDE), (MOST, UP, AFTER, OUTSIDE)
        ):  # fmt: skip
            for name, where in fields.items():
                value = getattr(effect, name, None)
                if type(value) is int and value != DEFAULTS[type(effect), name]:
                    said = rf"(?:{where.replace('N', str(value))})(?:{behind})"
                    on = rf"|\bturn {value} on\b" if behind is UP else ""
                    before = rf"|\b{ahead}turn {value}\b{on}"
                    said += before if where is TURN else rf"|{far}{value}\b"
                    if re.search(said, text):
                        yield f"{name} is {value}, and the text says the other way round"
    numbers = {getattr(effect, name) for effect in told.effects for name in ("add",)
               if isinstance(getattr(effect, name, None), str)}  # fmt: skip
    for given, sign in (({"n"}, "-{n}"), ({"-n"}, "+{n}")):
        if numbers == given and sign in text:
            yield f"the data have {given}, and the text says {sign}"


WORDS_UP = r"\bmore\b|\bhigher\b|\badds?\b|\+"
WORDS_DOWN = r"\bfewer\b|\bless\b|\blower\b|-\{|\bonly on \d\+"
BOUND = re.compile(r"\bor (?:more|higher|fewer|less|lower)\b")
"""It belongs to a bound, and not to what is added."""


def otherwise_signed(text: str, told: Family) -> Iterator[str]:
    """What the data add and the text takes away, or the other way round; who is harmed by it."""
    for effect in told.effects:
        add = getattr(effect, "add", None)
        if add in (None, 0) or isinstance(effect, words.Points):
            continue
        taken = str(add).startswith("-")
        if not re.search(WORDS_DOWN if taken else WORDS_UP, BOUND.sub("", text)):
            yield f"the data add {add}, and the text does not say {'fewer' if taken else 'more'}"
        if isinstance(effect, words.When) and told.timing != "optional":
            harm = taken if effect.holder != "target" or _is_armor(effect) else not taken
            if harm != (told.timing == "negative"):
                yield f"timing is {told.timing}, and adding {add} {'harms' if harm else 'helps'} it"


def _is_armor(effect: Any) -> bool:
    return isinstance(effect, words.Armor)


OTHERS_ROLL = re.compile(
    r"^(?:friendly|enemy|the target|its target)|\b(?:friendly|enemy|target)[\w ]* rolls? "
)


def whose(text: str, told: Family) -> Iterator[str]:
    """Dice of others where the data give them to the unit, and the other way round."""
    holders = {each.holder for each in told.effects if isinstance(each, words.When)}
    if holders == {"attacker"} and not own_code(told) and OTHERS_ROLL.search(text):
        yield "the effects are about the unit's own attacks, and the text is about others'"
    if holders - {"attacker", "target"} and "friendly" not in text:
        yield f"holder is {sorted(holders)}, and the text does not speak of friendly units"


GUNS = ("main", "secondary", "tertiary")


def other_guns(text: str, told: Family) -> Iterator[str]:
    """Guns that only one of text and data names."""
    kinds = {kind for effect in told.effects for kind in _attacks(effect)}
    said = {gun for gun in GUNS if re.search(rf"\b{gun}\b", text)}
    if kinds and said != kinds & {*GUNS}:
        yield f"the text names the guns {sorted(said)}, and the effects {sorted(kinds)}"


LOST = {
    "damaged": r"\bundamaged\b|until (?:it is )?damaged",
    "crippled": r"until (?:it is )?crippled",
}


def lost_otherwise(text: str, told: Family) -> Iterator[str]:
    """When its holder loses it, in one of the two only."""
    for when, said in LOST.items():
        if told.lost == when and not re.search(said, text):
            yield f"it is lost when {when}, and the text does not say so"
        if told.lost != when and re.search(said, text) and not own_code(told):
            yield f"the text has it lost when {when}, and the data have not"


ABOUT = {r"\bhull points?\b": ("torpedo-hit", "save"), r"\barmor\b": ("armor", "save")}


def of_nothing(text: str, told: Family) -> Iterator[str]:
    """What the text changes and no effect does."""
    tags = {str(type(each).__struct_config__.tag) for each in told.effects}
    for said, doing in ABOUT.items():
        if re.search(said, text) and not tags & {*doing} and not own_code(told):
            yield f"the text says {said}, and no effect is one of {doing}"


KINDS = ("bomb", "torpedo")
DOES = {"dodge": r"\bmiss", "dud": r"\bmiss"}
"""What the text says of what a word does."""


def of_another_kind(text: str, told: Family) -> Iterator[str]:
    """Attacks of a kind that no effect is about, and what a word does, if it is not said."""
    kinds = {kind for effect in told.effects for kind in _attacks(effect)}
    said = set(re.findall(rf"\b({'|'.join(KINDS)}) attack", re.sub("replace its [a-z]+", "", text)))
    if kinds and said - kinds:
        yield f"the text says {sorted(said - kinds)}, and the effects are about {sorted(kinds)}"
    for effect in told.effects:
        word = str(type(effect).__struct_config__.tag)
        if word in DOES and not re.search(DOES[word], text):
            yield f"{word}: the text does not say what it does ({DOES[word]})"


def _attacks(effect: Any) -> Iterator[str]:
    one = getattr(effect, "attack", "")
    yield from (one,) if isinstance(one, str) and one else ()
    yield from getattr(effect, "attacks", None) or ()


def stands(text: str, value: int, where: str) -> bool:
    number = f"(?:{value}|{WORDS[value]})" if value < len(WORDS) else str(value)
    return re.search(where.replace("N", number), text) is not None


def own_code(told: Family) -> bool:
    """Whether a mechanism plays a part of it."""
    return any(type(each).__module__ != words.__name__ for each in told.effects)


@pytest.mark.parametrize("name", FAMILIES)
def test_text_and_data_have_the_same_circumstances(name: str) -> None:
    assert faults(FAMILIES[name], families()[name]) == [], (
        f"domain/games/war_at_sea/rules/families/{name}.toml: its text or its effects, or what is "
        f"said otherwise belongs into SAID or FIGURES of {__name__}"
    )


@pytest.mark.parametrize("name", FAMILIES)
def test_a_limit_is_said(name: str) -> None:
    limit = str(FAMILIES[name].get("limit", ""))
    said = re.search(LIMITS.get(limit, ""), str(FAMILIES[name]["text"]).lower())
    listed = {each: kind for kind, names in LIMIT_IS_DATA.items() for each in names}
    if limit and not said:
        assert listed.get(name) == limit, f"{name}.toml: the text has to say 'once a {limit}'"
    else:
        assert name not in listed, f"the text of {name}.toml says it, or has none: strike it off"


def test_every_circumstance_has_its_words() -> None:
    told_elsewhere = {"holder", "attacks", "attacker", "target"}  # test_texts.py, and the titles
    assert WHEN.keys() == SAID.keys() | told_elsewhere | (FIGURES.keys() & WHEN.keys())


# --- what is found --------------------------------------------------------------------------------


def spoilt(name: str, text: str = "", **changed: Any) -> list[str]:
    """A family with other words in its text, or another first effect."""
    old, _, new = text.partition(" -> ")
    data = FAMILIES[name] | {"text": str(FAMILIES[name]["text"]).replace(old, new)}
    assert data != FAMILIES[name] or changed, f"{name} has no such words"
    first, *more = families()[name].effects
    return faults(data, replace(families()[name], effects=(replace(first, **changed), *more)))


@pytest.mark.parametrize(
    ("name", "text", "changed"),
    [
        ("escape-into-darkness", "", {"dark": False}),
        ("escape-into-darkness", "In darkness, when -> When", {}),
        ("masked-guns", "within range 2 -> within range 3", {}),
        ("masked-guns", "within range 2 -> within range 3", {"add": 3}),
        ("masked-guns", "", {"range_to": 99}),
        ("masked-guns", " within range 2 -> ", {}),
        ("masked-guns", "", {"won_initiative": False}),
        ("surprise", "turn 1 -> turn 2", {}),
        ("surprise", "", {"turn_to": 99}),
        ("combined-attack", "", {"friend": ""}),
        ("aggressive-tactics", "", {"alone": False}),
        ("wolfpack", "", {"another": False}),
        ("run-silent", "", {"target_unmoved": False}),
        ("finish-him-off", "", {"target_damaged": False}),
        ("interceptor", "", {"no_enemy_fighter": False}),
        ("excellent-spotting", "", {"spotted": False}),
        ("veteran-pilot", "", {"target_antiair_to": 5}),
        ("fatal-flaw", "four or more -> five or more", {}),
        ("evade-torpedoes", "torpedo attack -> bomb attack", {}),
        ("evade-torpedoes", "misses -> hits", {}),
        ("surprise", "turn 1 -> turn 1 or later", {}),
        ("masked-guns", "within range 2 -> beyond range 2", {}),
        ("masked-guns", "two more -> two fewer", {}),
        ("masked-guns", "", {"add": -2}),
        ("inactivity", "lower -> higher", {}),
        ("cruiser-killer", "one more die -> one die less at range 0 or more", {}),
        ("deceptive-target", "", {"add": 1}),
        ("cruiser-hunter", "main gunnery -> gunnery", {}),
        ("cruiser-hunter", "main gunnery -> secondary gunnery", {}),
        ("cruiser-killer", "gunnery -> main gunnery", {}),
        ("cruiser-killer", "Rolls -> The target rolls", {}),
        ("cruiser-killer", "", {"holder": "adjacent"}),
        ("cruiser-killer", "Cruisers. -> Cruisers, until it is crippled.", {}),
        ("cruiser-killer", "Cruisers. -> Cruisers. Each hit does one hull point more.", {}),
    ],
)
def test_what_only_text_or_data_have_is_found(
    name: str, text: str, changed: dict[str, Any]
) -> None:
    assert spoilt(name, text, **changed)


@pytest.mark.parametrize(
    ("name", "other"),
    [
        ("cruiser-killer", {"timing": "negative"}),
        ("inactivity", {"timing": "automatic"}),
        ("radar-fire-control", {"lost": "crippled"}),
        ("cruiser-killer", {"lost": "damaged"}),
    ],
)
def test_another_timing_and_another_loss_are_found(name: str, other: dict[str, Any]) -> None:
    assert faults(FAMILIES[name], families()[name]) == []
    assert faults(FAMILIES[name], replace(families()[name], **other))


def test_what_stands_behind_a_bound_does_not_turn_it() -> None:
    """``within range 2 on damaged targets`` is no range from 2 on."""
    assert spoilt("masked-guns", "within range 2 in turns -> within range 2 on turns", add=2) == []


def test_another_limit_is_found() -> None:
    assert "desperate-aa" not in LIMIT_IS_DATA["game"], "its text says it"
    with pytest.raises(AssertionError, match="the text has to say 'once a turn'"):
        _limited("commerce-raider", "turn")
    with pytest.raises(AssertionError, match="the text has to say 'once a turn'"):
        _limited("mines", "turn")


def _limited(name: str, limit: str) -> None:
    kept = FAMILIES[name]
    FAMILIES[name] = kept | {"limit": limit}
    try:
        test_a_limit_is_said(name)
    finally:
        FAMILIES[name] = kept
