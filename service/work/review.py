"""A game that is over, decision by decision: what was chosen, and what a bot would have chosen.

Each decision is looked at as its seat saw it then, before any die was thrown: with what came of it
nobody could reckon. Whether an order was good is the judgement of a bot, and no more than that.
"""

from __future__ import annotations

from typing import Any, NamedTuple, Union

import msgspec

from domain.kernel.rules import Refused
from projections.follow import Document
from projections.odds import NeverAtRest, of_command
from projections.records import Rules
from projections.stream import AnyGame

from ..bots.bot import Bot
from ..bots.local import position_of, units_of
from ..store.stored import StoredCommand

TURNING = 200
"""Thousandths that a turning point gave away, at least: a fifth of a chance."""


class Prospect(Document, frozen=True):
    """An order, and its chances.

    text  the order in words
    hit   chance that it does something, in thousandths; 0 where no dice are thrown for it
    lost  chance that it destroys, in thousandths; 0 where its dice do not decide that
    """

    text: str
    hit: int
    lost: int


class Decision(Document, frozen=True):
    """A choice of a seat.

    event     `seq` of the first event that it led to
    seat      the seat that chose
    question  stable key of the question
    offered   number of orders that were listed
    chosen    the order that was given
    advised   the order that the bot would have given; null where it is the same, or where the
              bot knows none
    cost      `hit` and `lost` of what was advised, less those of what was chosen; 0 at least
    turning   whether it cost so much that it is a turning point: a fifth of a chance
    """

    event: int
    seat: str
    question: str
    offered: int
    chosen: Prospect
    advised: Prospect | None
    cost: int
    turning: bool


class GameReview(Document, frozen=True):
    """Decisions of a game that is over.

    game       id of the game
    ruleset    id of its ruleset
    bot        name of the bot that judged
    decisions  in their order
    next       the event to ask on from as `after`; null after the last decision
    """

    game: str
    ruleset: str
    rules: Rules
    bot: str
    decisions: tuple[Decision, ...]
    next: int | None


class Asked(NamedTuple):
    """An order with the rules that decided it and what its seat saw before."""

    given: StoredCommand
    game: AnyGame
    view: Any


def decision(asked: Asked, bot: Bot) -> Decision | None:
    """The decision behind an order; None where its seat was asked for nothing."""
    given, game, view = asked
    if view is None:
        return None
    question = next((each for each in game.pending(view) if each.seat == given.seat), None)
    if question is None:
        return None
    told = (given.seat, question.question, question.subject)
    position = position_of(game, view, units_of(game), *told)
    plain = msgspec.json.decode(given.command)
    chosen = prospect(asked, plain)
    better = _advised(bot, position)
    advised = None if better in (None, plain) else prospect(asked, better)
    given_away = cost(chosen, advised)
    return Decision(
        event=given.first,
        seat=given.seat,
        question=question.question,
        offered=len(position.items),
        chosen=chosen,
        advised=advised,
        cost=given_away,
        turning=given_away >= TURNING,
    )


def _advised(bot: Bot, position: Any) -> Any:
    """The order that the bot would give; None where it finds none."""
    try:
        return bot.choose(position)["command"]
    except ValueError:
        return None


def cost(chosen: Prospect, advised: Prospect | None) -> int:
    """What it cost not to do what was advised."""
    if advised is None:
        return 0
    return max(0, advised.hit + advised.lost - chosen.hit - chosen.lost)


def prospect(asked: Asked, plain: Any) -> Prospect:
    """An order with its odds, as its seat could have asked for them."""
    game, view = asked.game, asked.view
    command: Any = msgspec.convert(plain, Union[game.commands])  # noqa: UP007 (made from a tuple)
    odds = _odds(asked, command)
    words = game.describe(view, command)
    short = None if odds is None else game.short_of(odds, words.pointless)
    told = words.text
    if short is None:
        return Prospect(text=told, hit=0, lost=0)
    return Prospect(text=told, hit=short.hit, lost=short.destroyed or 0)


def _odds(asked: Asked, command: Any) -> dict[str, Any] | None:
    try:
        return of_command(asked.game, asked.view, asked.given.seat, command, measured=True)
    except (Refused, NeverAtRest):
        return None
