"""Every example in every ability file, and what each file must have."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

import pytest
from msgspec.structs import replace

from domain.games.war_at_sea.rules.cards import CARDS, Card, Kind, card
from domain.games.war_at_sea.rules.families import effects, played, shots, words
from domain.games.war_at_sea.rules.families.effects import Shot
from domain.games.war_at_sea.rules.families.vocabulary import (
    VOCABULARY,
    Example,
    Expected,
    Family,
    Scene,
    families,
)
from domain.games.war_at_sea.rules.families.words import When
from domain.kernel.data import read_bytes
from tests.architecture.tree import parsed, python

CASES = [
    pytest.param(slug, example, id=f"{slug}: {example.text}")
    for slug, family in families().items()
    for example in family.examples
]


def shot(scene: Scene) -> Shot:
    """The scene with its cards looked up."""

    def at(names: tuple[str, ...]) -> tuple[Card, ...]:
        return tuple(card(name, scene.edition) for name in names)

    kind: Kind = scene.kind  # type: ignore[assignment]
    return Shot(
        attacker=card(scene.attacker, scene.edition),
        target=card(scene.target, scene.edition),
        kind=kind,
        range=scene.range,
        edition=scene.edition,
        turn=scene.turn,
        undamaged=scene.undamaged,
        crippled=scene.crippled,
        target_damaged=scene.target_damaged,
        target_moved=scene.target_moved,
        friends=at(scene.friends),
        guards=at(scene.guards),
        fleet=at((*scene.friends, *scene.adjacent, *scene.fleet)),
        adjacent=at(scene.adjacent),
        enemy_fighter=scene.enemy_fighter,
        crippled_friend=scene.crippled_friend,
        won_initiative=scene.won_initiative,
        initiative_roll=scene.initiative_roll,
        spotted=scene.spotted,
        fighter_attacked=scene.fighter_attacked,
        dark=scene.dark,
        declared=scene.declared,
        spent=scene.spent,
    )


def outcome(scene: Scene, successes: int) -> Expected:
    """All that the abilities come to in a scene."""
    at = shot(scene)
    negations = effects.negations(at, successes)
    saves = effects.saves(at, successes)
    return Expected(
        value=effects.attack_value(
            at.attacker,
            at.kind,
            at.range,
            undamaged=at.undamaged,
            declared=at.declared,
            on=at.target,
        ),
        dice=sum(r.value for r in effects.attack_dice(at)),
        die=sum(r.value for r in effects.die_modifiers(at)),
        armor=sum(r.value for r in effects.armor_modifiers(at)),
        vital=sum(r.value for r in effects.vital_modifiers(at)),
        torpedo_hit=effects.torpedo_damage(at).total,
        six_counts=effects.six_counts(at),
        only_sixes=effects.only_sixes(at),
        forbidden=bool(effects.forbidden_target(at.attacker, at.kind, at.target)),
        negate=negations[0].needed if negations else 0,
        save=saves[0].result if saves else "",
        successes=successes,
        reroll=bool(effects.rerolls(at.attacker, at.kind, at.spent, at.turn)),
        declarable=any(
            shots.applies(replace(at, declared=(family,)), family)
            for family in effects.declarable(at.attacker, at.kind, at.spent)
        ),
        more_attacks=effects.extra_attacks(at.attacker, at.kind, at.spent)[0],
    )


@pytest.mark.parametrize(("slug", "example"), CASES)
def test_an_example_comes_to_what_it_says(slug: str, example: Example) -> None:
    found = outcome(example.scene, example.expect.successes)
    named = {f for f in Expected.__struct_fields__ if getattr(example.expect, f) is not None}
    assert {f: getattr(found, f) for f in named} == {f: getattr(example.expect, f) for f in named}
    on_stage = {example.scene.attacker, example.scene.target}
    on_stage |= {*example.scene.friends, *example.scene.adjacent, *example.scene.fleet}
    held = any(effects.has(CARDS[name], slug) for name in on_stage)
    assert held or not any(at_work(example)), "nobody has the ability"


AT_REST = {"torpedo_hit": 2, "six_counts": 2}


def at_work(example: Example) -> list[bool]:
    """For each thing that the example names: whether the ability made a difference."""
    named = set(Expected.__struct_fields__) - {"value", "successes"}
    stated = {f: getattr(example.expect, f) for f in named}
    return [v not in (AT_REST.get(f), 0, "") for f, v in stated.items() if v is not None]


def attack_words(family: Family) -> Iterator[When]:
    return (e for e in family.effects if isinstance(e, When) and not isinstance(e, words.Doom))


@pytest.mark.parametrize("slug", [s for s, f in families().items() if any(attack_words(f))])
def test_a_word_about_attacks_is_shown_at_work_and_at_rest(slug: str) -> None:
    """Battery Silencer alone is never at work: no card is a Shore Battery."""
    results = [result for example in families()[slug].examples for result in at_work(example)]
    assert not all(results)
    assert any(results) or slug == "battery-silencer"


def test_every_ability_on_a_card_has_a_file_and_every_file_a_card() -> None:
    on_cards = {ref.family for c in CARDS.values() for ref in c.abilities}
    assert on_cards == set(families())


def test_numbers_are_used_exactly_where_cards_print_them() -> None:
    for c in CARDS.values():
        for ref in c.abilities:
            family = families()[ref.family]
            assert ("{n}" in family.name) == (ref.n > 0), (c.id, ref)
            assert "{" not in family.called(ref.n) + family.says(ref.n), ref


@pytest.mark.parametrize(
    ("family", "n", "name"),
    [
        ("extended-range", 4, "Extended Range 4"),
        ("expert-bomber", 1, "Expert Bomber"),
        ("expert-bomber", 2, "Expert Bomber 2"),
        ("advanced-fighter", 2, "Advanced Fighter"),
        ("advanced-fighter", 1, "Advanced Fighter 1"),
        ("opening-salvo-gunnery", 1, "Opening Salvo 1 (Gunnery)"),
        ("survivor", 0, "Survivor"),
    ],
)
def test_an_ability_is_called_as_on_its_card(family: str, n: int, name: str) -> None:
    assert families()[family].called(n) == name


def test_ids_are_of_the_inventory_or_made_of_the_name() -> None:
    for slug, family in families().items():
        assert re.fullmatch(r"WAS-ABIL-\d\d", family.id) or family.id == f"WAS-CARD-{slug}"
        assert family.text.endswith("."), slug
        assert family.effects, slug


def _asked() -> set[str]:
    """Classes of words that a module of the game names, besides those that define them."""
    defined = {"words.py", "hooks.py", "deeds.py"}
    here = [name for name in python("domain") if name.startswith("domain/games/war_at_sea/")]
    trees = [parsed(name) for name in here if name.rpartition("/")[2] not in defined]
    nodes = [node for tree in trees for node in ast.walk(tree)]
    return {node.attr for node in nodes if isinstance(node, ast.Attribute)}


def test_every_word_of_the_vocabulary_is_used_by_a_family_and_asked_for_by_the_engine() -> None:
    used = {type(effect) for family in families().values() for effect in family.effects}
    assert set(VOCABULARY) == used
    explains_only = {"Printed"}
    assert {word.__name__ for word in VOCABULARY} - _asked() == explains_only


def test_a_family_is_played_only_when_it_has_effects() -> None:
    both = Family("WAS-CARD-x", "X", "X.", effects=(words.Enter(),))
    assert played.played(both)
    assert not played.played(replace(both, effects=()))


def test_the_readme_explains_every_word_and_every_circumstance() -> None:
    package = "domain.games.war_at_sea.rules.families"
    explained = set(re.findall(r"`([\w-]+)`", read_bytes(package, "README.md").decode()))
    tags = {word.__struct_config__.tag for word in VOCABULARY}
    assert tags <= explained
    assert set(When.__struct_encode_fields__) <= explained
    keys = {f for word in VOCABULARY for f in word.__struct_encode_fields__}
    assert keys | set(Family.__struct_encode_fields__) <= explained
