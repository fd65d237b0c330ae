"""The title of an example says nothing that its scene does not have: ``Nothing by day`` is by day.

Each claim is a phrase of titles and what the scene, or what it comes to, has to be for it to be
true. A title in which nothing can be held to the scene proves nothing, so it is refused as well.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from domain.games.war_at_sea.rules.cards import CARDS, Card
from domain.games.war_at_sea.rules.families import effects
from domain.games.war_at_sea.rules.families.vocabulary import Example, Scene, families

from .test_examples import at_work

Claim = Callable[[Example, str], bool]
GUNS = ("main", "secondary", "tertiary", "strafe")


def scene(holds: Callable[[Scene], bool]) -> Claim:
    return lambda example, _: holds(example.scene)


def kind(*kinds: str) -> Claim:
    return lambda example, _: example.scene.kind in kinds


def acts(example: Example, _: str) -> bool:
    """It makes a difference, or gives an attack that the card has or has not."""
    return any(at_work(example)) or (example.expect.value or 0) > 0


def rests(example: Example, _: str) -> bool:
    return not any(at_work(example))


def who(scene: Scene) -> list[Card]:
    """Everybody on stage."""
    others = (*scene.friends, *scene.guards, *scene.adjacent, *scene.fleet)
    return [CARDS[name] for name in (scene.attacker, scene.target, *others)]


def named(example: Example, word: str) -> bool:
    """A type of unit is on stage; one ``at`` which it is said to be done is the target."""
    if re.search(rf"\b(?:at|on) (?:an? |the )?(?:\w+ )?{word}", example.text, re.IGNORECASE):
        return effects.is_a(CARDS[example.scene.target], word)
    return any(effects.is_a(card, word) for card in who(example.scene))


def number(example: Example, word: str) -> bool:
    """A number is one of the scene, of what it comes to, or of a card's vital armor."""
    told = (example.scene.range, example.scene.turn, *vars_of(example))
    value = WORDS.index(word.lower()) if word.lower() in WORDS else int(word)
    refs = (ref.n for card in who(example.scene) for ref in card.abilities)
    cards = (each for card in who(example.scene) for each in (card.vital_armor, card.armor))
    antiair = (card.dice("antiair", 0) for card in who(example.scene))
    return value in (*told, *(abs(n) for n in told), *cards, *antiair, *refs)


def vars_of(example: Example) -> Iterator[int]:
    found = (getattr(example.expect, name) for name in example.expect.__struct_fields__)
    yield from (each for each in found if type(each) is int)
    yield example.scene.initiative_roll


WORDS = ["zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"]
TYPES = "Cruiser|Destroyer|Battleship|Carrier|Fighter|Dive Bomber|Bomber|Submarine|Auxiliary|Ship"

SAYS_NO_REST = (
    r"^(?!.*(nothing|no die|as usual|\bnot\b|\bno\b|used up|destroyed|without|later|elsewhere|"
    r"turn 2|three dice|too far|another ship)).+$"
)
"""A title that does not say that it rests says that it acts."""

CLAIMS: dict[str, Claim] = {
    r"\bnothing|no die|as usual|used up|no farther|too far|not yet|: destroyed": rests,
    SAYS_NO_REST: acts,
    r"\bby day|daylight": scene(lambda at: not at.dark),
    r"\bby night|dark(?!ness penalty)": scene(lambda at: at.dark),
    r"\bturn \d": lambda e, t: e.scene.turn == int(t[-1]),
    r"\brange \d": lambda e, t: e.scene.range == int(t[-1]),
    r"\bundamaged": scene(lambda at: at.undamaged and not at.target_damaged),
    r"^damaged": scene(lambda at: not at.undamaged),
    r"\ba damaged": scene(lambda at: at.target_damaged),
    r"\bsound": scene(lambda at: not at.target_damaged),
    r"\bnot declared": scene(lambda at: not at.declared),
    r"^declared|is declared": scene(lambda at: bool(at.declared)),
    r"\bused up|^later": scene(lambda at: bool(at.spent)),
    r"\bthe first": scene(lambda at: not at.spent and not at.spotted),
    r"\binitiative won": scene(lambda at: at.won_initiative),
    r"\binitiative lost": scene(lambda at: not at.won_initiative),
    r"\bhas moved": scene(lambda at: at.target_moved),
    r"\bhas not moved": scene(lambda at: not at.target_moved),
    r"\b2007(?=\b)": scene(lambda at: at.edition == "2007"),
    r"^alone": scene(lambda at: not at.friends),
    r"\bnot alone": scene(lambda at: bool(at.friends)),
    r"\bnext sector": scene(lambda at: bool(at.adjacent)),
    r"\bsame sector": scene(lambda at: bool(at.friends or at.guards)),
    r"\bbeside a crippled": scene(lambda at: at.crippled_friend),
    r"\bno cripple": scene(lambda at: not at.crippled_friend),
    r"\bexactly its vital": lambda e, t: e.expect.successes == CARDS[e.scene.target].vital_armor,
    r"\b(exactly \d+)": lambda e, t: e.expect.successes == int(t.split()[1]),
    r"^\d+(: destroyed| successes)": lambda e, t: (
        e.expect.successes == int(re.findall(r"\d+", t)[0])
    ),
    r"\bantiair": kind("antiair"),
    r"\bbomb(s|ed)\b": kind("bomb"),
    r"\bdepth charges": kind("asw"),
    r"\btorpedo(es|ed)?\b(?! defense)": kind("torpedo"),
    r"\bshell(s|ed)\b": kind(*GUNS),
    r"\bstrafed": kind("strafe"),
    r"\bsecondary": kind("secondary"),
    r"\bmain guns": kind("main"),
    r"^the dice came to \d+": lambda e, t: e.scene.initiative_roll == int(t.split()[-1]),
    r"\bguns\b": kind(*GUNS),
    r"\bafter a fighter": scene(lambda at: at.fighter_attacked),
    r"^not reached": lambda e, t: e.expect.successes < CARDS[e.scene.target].vital_armor,
    r"^surpassed": lambda e, t: e.expect.successes > CARDS[e.scene.target].vital_armor,
    rf"(?<!after a )\b({TYPES})s?\b(?!'s)": lambda e, t: named(e, t.removesuffix("s")),
    rf"\b((?!2007)\d+|{'|'.join(WORDS[2:])})\b": number,
}
"""What titles say, and whether it is so."""


def claims(text: str) -> Iterator[tuple[str, str]]:
    """Each claim that a title makes, and its words there."""
    for pattern in CLAIMS:
        for found in re.finditer(pattern, text, re.IGNORECASE):
            yield pattern, found[0]


def faults(example: Example) -> list[str]:
    """What a title says that is not so."""
    made = list(claims(example.text))
    return [said for pattern, said in made if not CLAIMS[pattern](example, said)]


EXAMPLES = [
    pytest.param(slug, example, id=f"{slug}: {example.text}")
    for slug, family in families().items()
    for example in family.examples
]


@pytest.mark.parametrize(("slug", "example"), EXAMPLES)
def test_a_title_is_true_of_its_scene(slug: str, example: Example) -> None:
    wrong = faults(example)
    where = f"{slug}.toml: the scene of {example.text!r}"
    assert not wrong, f"{where} does not have or come to what the title says: {wrong}"
    made = {pattern for pattern, _ in claims(example.text)} - {SAYS_NO_REST}
    assert made, f"{where}: nothing of the title can be held to it, see {Path(__file__).name}"


def test_every_claim_is_made_by_some_title() -> None:
    """Or it is a way to say something untested."""
    titles = [example.text for family in families().values() for example in family.examples]
    made = {pattern for text in titles for pattern, _ in claims(text)}
    assert set(CLAIMS) - made == set()


def first(slug: str, title: str) -> Example:
    return next(each for each in families()[slug].examples if each.text == title)


@pytest.mark.parametrize(
    ("slug", "title", "scene"),
    [
        ("escape-into-darkness", "By day: nothing.", {"dark": True}),
        ("escape-into-darkness", "By night.", {"dark": False}),
        ("surprise", "Turn 2: 7 dice.", {"turn": 3}),
        ("masked-guns", "Range 3: nothing.", {"range": 4}),
        ("masked-guns", "Initiative lost: nothing.", {"won_initiative": True}),
        ("rapid-fire", "Not declared: nothing.", {"declared": ("rapid-fire",)}),
        ("rapid-fire", "Used up.", {"spent": ()}),
        ("finish-him-off", "At a damaged Ship.", {"target_damaged": False}),
        ("battleship-killer", "At a Carrier: nothing.", {"target": "myoko"}),
        ("protect-cripple", "Not for torpedoes.", {"kind": "asw"}),
        ("wolfpack", "Alone: nothing.", {"friends": ("bismarck",)}),
        ("rugged", "2007: exactly 8, as printed.", {"edition": "2009"}),
    ],
)
def test_another_scene_makes_the_title_a_lie(slug: str, title: str, scene: dict[str, Any]) -> None:
    example = first(slug, title)
    assert not faults(example)
    assert faults(replace(example, scene=replace(example.scene, **scene)))


def test_a_title_that_belongs_to_another_outcome_is_a_lie() -> None:
    for family in families().values():
        resting = [each for each in family.examples if re.search(r"nothing", each.text)]
        for example in family.examples:
            if acts(example, "") and resting:
                assert faults(replace(example, text=resting[0].text)), example.text


def test_a_title_that_says_nothing_is_refused() -> None:
    assert {pattern for pattern, _ in claims("One more.")} == {SAYS_NO_REST}
