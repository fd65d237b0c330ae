"""Each circumstance of each effect is dropped and exchanged, and an example or a case notices.

One example in which an ability rests proves one of its circumstances. Here every other one is left
out too, each word of a list on its own, each bound moved by one, the holder exchanged: an example
of the ability's own file comes to something else, or a case in which somebody has it fails.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from typing import Any, NamedTuple, get_args

import msgspec
import pytest
from msgspec.structs import fields, replace

from domain.games.war_at_sea.rules import facts
from domain.games.war_at_sea.rules.abilities import _mechanisms
from domain.games.war_at_sea.rules.families import effects, shots, words
from domain.games.war_at_sea.rules.families.vocabulary import Family, families
from domain.games.war_at_sea.rules.mechanisms import homes, placing
from tests.support import cases
from tests.war_at_sea.ablation import holders, loaded
from tests.war_at_sea.suite import SUITE

from .test_examples import outcome

AMOUNTS = ("add", "amount", "successes", "most", "dice")
"""How much an effect does: test_numbers.py and the examples hold those."""
BOUNDS = ("from", "to", "needed", "nearest", "farthest")
"""What a field that is a bound ends with: of turns, of ratings, of a die, of a range."""

NO_OTHER = {
    "Aircraft are shot at with antiair only": (
        "advanced-fighter", "deceptive-target", "defensive-armament", "escape-into-darkness",
        "great-agility", "high-agility", "interceptor", "light-defensive-armament", "nimble",
        "rugged", "veteran-pilot",
    ),
    "Submarines are attacked with depth charges only": ("run-silent", "slip-away"),
    "who has it has no other attack at such a target": (
        "auxiliary-hunter", "carrier-hunter", "destroyer-killer", "hi-level-bomber", "risky-attack",
        "wolfpack",
    ),
}  # fmt: skip
"""Families whose kind of attack is the only one that there can be, with why."""

NOTHING_TO_ACT_ON = ("battery-silencer",)
"""See test_acts_and_rests.py."""

MOOT = {
    "harassing-fire": {
        "effect 2, only-sixes.attacks: ('main',) -> ()": "no other weapon reaches so far",
        "effect 2, only-sixes.range_to: 'n' -> 99": "nothing reaches farther",
    },
    "antiship-missile": {"reach.nearest: 1 -> 0": "at range 0 the dice are those of range 0"},
    "heavy-strafer": {"reach.nearest: 1 -> 0": "at range 0 the dice are those of range 0"},
    "extended-range": {"reach.nearest: 4 -> 3": "at range 3 the dice are those of range 3"},
    "radar-solution": {
        "effect 2, first-shot-sees.farthest: 4 -> 5": "no main guns with it reach farther than 4",
    },
    "excellent-spotting": {"dice.target: ('Ship',) -> ()": "guns fire at nothing else"},
    "rapid-fire": {"dice.target: ('Ship',) -> ()": "guns fire at nothing else"},
    "carrier-leader": {"initiative.each: True -> False": "no Carrier has it, to count itself"},
    "flotilla-leader": {"initiative.each: True -> False": "no Destroyer has it, to count itself"},
    "hi-level-bomber": {
        f"effect 2, forbid-target.holder: 'attacker' -> '{other}'": "it is always the attacker"
        for other in ("beside", "target")
    },
}
"""What makes no difference with the cards and the weapons that there are, with why."""
UNHELD = {("sneak-attack", "effect 2, ")}
"""Effects for a holder that no card is: of Sneak Attack a Torpedo Bomber."""


class Change(NamedTuple):
    """A family with one circumstance dropped or exchanged, and what that is in words."""

    slug: str
    told: str
    family: Family


def changes() -> Iterator[Change]:
    for slug, family in families().items():
        for n, effect in enumerate(family.effects):
            place = f"effect {n + 1}, " if len(family.effects) > 1 else ""
            tag = f"{place}{effect.__struct_config__.tag}"
            for name, value in others(effect):
                told = f"{tag}.{name}: {getattr(effect, name)!r} -> {value!r}"
                changed = (*family.effects[:n], replace(effect, **{name: value}))
                made = replace(family, effects=changed + family.effects[n + 1 :])
                yield Change(slug, told, made)
        if family.lost:
            yield Change(slug, f"lost: {family.lost!r} -> ''", replace(family, lost=""))


def others(effect: words.Effect) -> Iterator[tuple[str, Any]]:
    """Each field of an effect that says when or whom, with what it might be instead."""
    for each in fields(effect):
        value = getattr(effect, each.name)
        if each.name == "holder":
            yield from (("holder", other) for other in HOLDERS[value])
        elif each.name not in AMOUNTS and each.default != value:
            needed = each.default is msgspec.NODEFAULT
            if not needed:
                yield each.name, each.default
            if type(value) is int or not needed:
                yield from ((each.name, other) for other in near(each.name, value))


HOLDERS: dict[str, tuple[words.Holder, ...]] = {
    "attacker": ("beside", "target"),
    "target": ("attacker", "beside-target"),
    "beside-target": ("target", "fleet"),
    "beside": ("attacker", "fleet", "nearby"),
    "adjacent": ("beside", "nearby"),
    "nearby": ("attacker", "beside", "adjacent"),
    "fleet": ("attacker", "beside"),
}
"""Who else might be meant."""


def near(name: str, value: Any) -> Iterator[Any]:
    """A list without one of its words, a bound by one farther or nearer."""
    if isinstance(value, tuple) and len(value) > 1:
        yield from (value[:n] + value[n + 1 :] for n in range(len(value)))
    elif type(value) is int and name.rpartition("_")[2] in BOUNDS:
        yield from (value - 1, value + 1)


@contextmanager
def made(change: Change) -> Iterator[None]:
    """Until this is left, the family is the changed one."""
    known = families()
    kept = known[change.slug]
    known[change.slug] = change.family
    _forget()
    try:
        yield
    finally:
        known[change.slug] = kept
        _forget()


REMEMBERED = (
    shots._effects_among, shots.declared_by, effects._about, _mechanisms, facts._in_role,
    homes.detachments, homes.temporary, homes.passengers, placing._company,
)  # fmt: skip
"""What is worked out of the families once."""


def _forget() -> None:
    for remembered in REMEMBERED:
        remembered.cache_clear()


def noticed(change: Change) -> str:
    """The example or the case that comes to something else; empty: none."""
    examples = families()[change.slug].examples
    with made(change):
        for example in examples:
            found = outcome(example.scene, example.expect.successes)
            named = (
                f
                for f in example.expect.__struct_fields__
                if getattr(example.expect, f) is not None
            )
            if any(getattr(found, f) != getattr(example.expect, f) for f in named):
                return example.text
        broken = [case for case in held(change.slug) if not holds(case)]
    return next((case["id"] for case in broken if sound(case["id"])), "")


@cache
def held(slug: str) -> tuple[dict[str, Any], ...]:
    """The cases in which somebody has the family."""
    return tuple(case for case in loaded() if case["id"] in holders().get(slug, ()))


def holds(case: dict[str, Any]) -> bool:
    try:
        cases.run(SUITE, case)
    except Exception:  # whatever it is, it is noticed
        return False
    return True


@cache
def sound(id: str) -> bool:
    """Whether a case holds as things are: one that fails anyway notices nothing."""
    return holds(next(case for case in loaded() if case["id"] == id))


CHANGES = [
    change
    for change in changes()
    if change.slug not in NOTHING_TO_ACT_ON
    and not (".attacks" in change.told and change.slug in sum(NO_OTHER.values(), ()))
    and change.told not in MOOT.get(change.slug, {})
    and not any(change.slug == slug and change.told.startswith(place) for slug, place in UNHELD)
]


@pytest.mark.parametrize("slug", sorted({change.slug for change in CHANGES}))
def test_each_circumstance_is_shown(slug: str) -> None:
    mine = [change for change in CHANGES if change.slug == slug]
    silent = {change.told for change in mine if not noticed(change)}
    assert silent == set(), (
        f"{slug}.toml: nothing notices these. Each wants an example in which that alone is "
        "otherwise, or a numbered case. A bound that no card comes to says nothing: leave it out, "
        "or, where the text has it, say in MOOT why nothing comes to it"
    )


def test_families_without_another_attack_have_one_kind() -> None:
    for slug in sum(NO_OTHER.values(), ()):
        (kinds,) = {e.attacks for e in families()[slug].effects if isinstance(e, words.When)}
        assert len(kinds) == 1, f"{slug}: strike it off, a list has words to show"


def test_what_is_said_to_be_moot_is_there_and_silent() -> None:
    known = {(change.slug, change.told): change for change in changes()}
    moot = [(slug, told) for slug, why in MOOT.items() for told in why]
    assert {*moot} <= known.keys()
    assert [noticed(known[each]) for each in moot] == [""] * len(moot)
    assert all(any(k[0] == s and k[1].startswith(p) for k in known) for s, p in UNHELD)


def test_every_holder_has_others() -> None:
    assert set(HOLDERS) == set(get_args(words.Holder))
    assert all(name not in other for name, other in HOLDERS.items())


def test_a_circumstance_without_its_example_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    """In the first five turns only, as somebody new might write it, with examples of turn 2."""
    family = families()["cruiser-hunter"]
    early = replace(family.effects[0], turn_to=5)
    monkeypatch.setitem(families(), "cruiser-hunter", replace(family, effects=(early,)))
    told = {each.told: each for each in changes() if each.slug == "cruiser-hunter"}
    assert noticed(told["dice.turn_to: 5 -> 99"]) == ""
    assert noticed(told["dice.attacks: ('main',) -> ()"])


def test_a_die_and_a_range_that_an_effect_always_names_move_both_ways() -> None:
    (farther,) = families()["antiship-missile"].effects
    told = {name: [v for n, v in others(farther) if n == name] for name in ("nearest", "farthest")}
    assert told == {"nearest": [0, 2], "farthest": [0, 2]}
    assert [*near("needed", 5)] == [4, 6]


def test_a_case_that_fails_anyway_notices_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    known = {case["id"]: case for case in loaded()}
    change, by = next((each, by) for each in CHANGES if (by := noticed(each)) in known)
    wrong = {**known[by], "id": "WAS-C-0000"}
    wrong["expect"] = {"state": {"/turn": 99}}
    here = __name__
    monkeypatch.setattr(f"{here}.held", lambda slug: (wrong,))
    monkeypatch.setattr(f"{here}.loaded", lambda: (wrong,))
    assert noticed(change) == ""


def test_a_list_loses_each_word_and_a_bound_moves_both_ways() -> None:
    effect = words.Dice(add=1, attacks=("main", "torpedo"), range_to=2, dark=True)
    assert list(others(effect))[2:] == [
        ("attacks", ()),
        ("attacks", ("torpedo",)),
        ("attacks", ("main",)),
        ("range_to", 99),
        ("range_to", 1),
        ("range_to", 3),
        ("dark", False),
    ]
