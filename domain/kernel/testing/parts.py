"""The offers of a position form a tree by their parts, and what a part names is in the picture."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from ..commands import deed, tag_of
from ..conformance import Nonconformance
from ..game import Game
from ..options import Options, PartOf
from ..shown.scene import Group, Item
from ..values import Seat

AnyGame = Game[Any, Any, Any]
Offer = tuple[Any, tuple[PartOf, ...]]
"""A command with its parts."""

LIT = frozenset({"unit", "target", "card", "place"})
"""Roles of parts that a page lights on the board."""


def offers_of(game: AnyGame, state: Any, options: Options[Any]) -> list[Offer]:
    """All that a seat may do, with its parts."""
    every = (*options.commands, *options.concessions)
    return [(command, game.describe(state, command).parts) for command in every]


def check_tree(offers: Sequence[Offer]) -> None:
    """Who is asked for the type, and then for part after part, is left with one command.

    Raises Nonconformance for two commands that no answer tells apart, and for two answers to one
    question that read alike.
    """
    _ask(offers, [((tag_of(type(command)), ""), tag_of(type(command))) for command, _ in offers], 0)


def _ask(
    offers: Sequence[Offer], answers: Sequence[tuple[tuple[str, str], str]], depth: int
) -> None:
    """``answers``: of each offer, which one belongs to it, and how it reads."""
    branches: dict[tuple[str, str], list[Offer]] = {}
    read: dict[str, tuple[str, str]] = {}
    for offer, (answer, text) in zip(offers, answers, strict=True):
        branches.setdefault(answer, []).append(offer)
        if read.setdefault(f"{answer[0]} {text}", answer) != answer:
            raise Nonconformance(f"{answer} and {read[f'{answer[0]} {text}']} read alike: {text}")
    for branch in branches.values():
        if len(branch) == 1:
            continue
        if all(len(parts) <= depth for _, parts in branch):
            raise Nonconformance(f"nothing tells {branch[0][0]} from {branch[1][0]}")
        _ask(branch, [_answer(parts, depth) for _, parts in branch], depth + 1)


def _answer(parts: tuple[PartOf, ...], depth: int) -> tuple[tuple[str, str], str]:
    """Whatever has no such part is an answer as well: nothing more."""
    if depth >= len(parts):
        return ("", ""), ""
    part = parts[depth]
    return (part.role, part.key), part.text


def unlit(game: AnyGame, view: Any, offers: Sequence[Offer]) -> Iterator[tuple[str, str]]:
    """What of the offers is not in the picture of ``view``: ``deed.role``, and the key."""
    scene = game.picture(view, None, ())
    keys = set(_keys(scene.items))
    for command, parts in offers:
        for part in parts:
            if part.role in LIT and part.key not in keys:
                yield f"{deed(tag_of(type(command)))}.{part.role}", part.key


def check_lit(game: AnyGame, view: Any, seat: Seat, offers: Sequence[Offer]) -> None:
    """Raises Nonconformance for a part that is not in the seat's picture, nor among the unlit."""
    listed = game.tables.unlit if game.tables is not None else {}
    for where, key in unlit(game, view, offers):
        if where not in listed:
            raise Nonconformance(f"{where}: {key} is not in the picture that {seat} sees")


def _keys(items: Sequence[Item]) -> Iterator[str]:
    for item in items:
        if isinstance(item, Group):
            if item.key:
                yield item.key
            yield from _keys(item.items)
