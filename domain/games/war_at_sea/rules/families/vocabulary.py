"""The ability files as values: one family each, in the words of words.py, with its examples."""

from __future__ import annotations

from functools import cache
from typing import Literal, get_args

from .....kernel.data import ShownKeys, list_files, load_toml
from .....kernel.values import Value
from ..editions import Edition
from .deeds import Deed
from .hooks import Hook
from .words import Attack, Effect, Word

VOCABULARY: tuple[type[Effect], ...] = get_args(Word | Hook | Deed)
"""Every word: the vocabulary is closed."""


Limit = Literal["", "turn", "game"]
"""How often an ability may be used; empty: as often as it can be."""

SHOWN_KEYS: ShownKeys = {"*.toml": {"text": "", "examples": None}}
"""What a family does is in its effects; its sentence and its examples are for people and tests."""


class Scene(Value, frozen=True):
    """An attack for an example: cards by ID, everything else as in the circumstances of a shot."""

    attacker: str
    kind: Attack
    target: str
    range: int = 0
    edition: Edition = "2009"
    turn: int = 2
    undamaged: bool = True
    crippled: bool = False
    target_damaged: bool = False
    target_moved: bool = False
    friends: tuple[str, ...] = ()
    guards: tuple[str, ...] = ()
    fleet: tuple[str, ...] = ()
    adjacent: tuple[str, ...] = ()
    enemy_fighter: bool = False
    crippled_friend: bool = False
    won_initiative: bool = False
    initiative_roll: int = 0
    spotted: bool = False
    fighter_attacked: bool = False
    dark: bool = False
    declared: tuple[str, ...] = ()
    spent: tuple[str, ...] = ()


class Expected(Value, frozen=True):
    """What an example comes to; only what it names is compared.

    value   dice that the card gives at the range, before modifiers; -1: no such attack
    dice, die, armor, vital  sums of the modifiers
    torpedo_hit  hull points that each torpedo hit does
    negate  the die that undoes a hit; 0: none
    save    the result that replaces destruction at ``successes``, empty: none
    """

    value: int | None = None
    dice: int | None = None
    die: int | None = None
    armor: int | None = None
    vital: int | None = None
    torpedo_hit: int | None = None
    six_counts: int | None = None
    only_sixes: bool | None = None
    forbidden: bool | None = None
    negate: int | None = None
    save: str | None = None
    successes: int = 0
    reroll: bool | None = None
    declarable: bool | None = None
    more_attacks: int | None = None


class Example(Value, frozen=True):
    """One case of the family's own, checked by the tests."""

    text: str
    scene: Scene
    expect: Expected


class Family(Value, frozen=True):
    """An ability: one file of this folder. Its name there is ``slug``.

    id       rule ID: WAS-ABIL-nn where the inventory has it, else WAS-CARD-slug
    name     as on cards; ``{n}`` is the card's number
    plain    the number that cards do not print
    text     what it does, in our words
    timing   automatic, optional, or negative (compulsory, WAS-ABIL-05)
    limit    how often it may be used
    lost     the holder loses it when damaged or crippled (WAS-ABIL-45)
    """

    id: str
    name: str
    text: str
    timing: Literal["automatic", "optional", "negative"] = "automatic"
    limit: Limit = ""
    lost: Literal["", "damaged", "crippled"] = ""
    plain: int = 0
    effects: tuple[Word | Hook | Deed, ...] = ()
    examples: tuple[Example, ...] = ()

    def called(self, n: int) -> str:
        """The ability's name with the number of one card."""
        number = "" if n == self.plain else str(n)
        return self.name.replace("{n}", number).strip()

    def says(self, n: int) -> str:
        """The text with the number of one card."""
        return self.text.replace("{n}", str(n))


@cache
def families() -> dict[str, Family]:
    """Every ability family by its slug. Raises msgspec.ValidationError for a malformed file."""
    package = __package__
    return {
        name.removeprefix("./").removesuffix(".toml"): load_toml(package, name, Family)
        for name in list_files(package, ".", ".toml")
    }
