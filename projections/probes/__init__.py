"""Questions that are saved: one TOML file for each ruleset, and one for all of them."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from importlib.resources import files

import msgspec

EVERY = "every-game"


class Probe(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A saved question.

    name   by which it is asked
    text   what it asks for, in a sentence
    query  in the language of ``projections.language``
    """

    name: str
    text: str
    query: str


class _File(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    probe: tuple[Probe, ...]


def probes_in(text: bytes) -> tuple[Probe, ...]:
    """The questions of a file. Raises MsgspecError."""
    return msgspec.toml.decode(text, type=_File).probe


@cache
def saved() -> Mapping[str, tuple[Probe, ...]]:
    """The questions that this build brings, by ruleset; ``every-game``: those that fit all."""
    found = sorted(files(__name__).iterdir(), key=lambda each: each.name)
    return {
        each.name.removesuffix(".toml"): probes_in(each.read_bytes())
        for each in found
        if each.name.endswith(".toml")
    }


def fitting(name: str, ruleset: str, more: tuple[Probe, ...] = ()) -> Probe | None:
    """The saved question of that name for a game; None where there is none for it."""
    there = (*more, *saved().get(ruleset, ()), *saved()[EVERY])
    return next((each for each in there if each.name == name), None)
