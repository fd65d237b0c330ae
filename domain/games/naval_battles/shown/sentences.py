"""Every event as one sentence of an after-action report; empty for pure book-keeping.

A redacted event or state only makes a sentence shorter: nothing here fails or tells more than it
was given. Each group is matched in full, so that a new event does not type-check without words.
"""

from __future__ import annotations

from typing import assert_never

from ....kernel.order import ordered
from ....kernel.shown.wording import count, join
from ....kernel.values import Hidden
from ..rules import events as ev
from ..rules import facts
from ..rules.evening import lead_of, on_left
from ..rules.scenarios import SCENARIOS
from ..rules.state import Hand, State
from . import names
from .attack_sentences import AttackEvent, attack

SetUpEvent = (
    ev.GameOpened
    | ev.NationTaken
    | ev.FleetCommitted
    | ev.FirstPlayerRolled
    | ev.FleetLaidOut
    | ev.DeckLaid
    | ev.CardsDrawn
)
TurnEvent = (
    ev.TurnBegan
    | ev.StepBegan
    | ev.CardsExpired
    | ev.Passed
    | ev.FleetArranged
    | ev.RetreatPlayed
    | ev.DamageRemoved
    | ev.ReinforcementsPlayed
    | ev.CardPrepared
    | ev.CardsDiscarded
)
EndEvent = ev.EndCalled | ev.PlayerLeft | ev.BattleEnded | ev.BattleBegan | ev.GameEnded
QuietEvent = ev.DiceAwaited | ev.DiceThrown


def says(state: State | None, event: ev.AnyEvent) -> str:
    """What ``event`` did to ``state``, in one sentence."""
    if isinstance(event, QuietEvent):
        return ""
    if isinstance(event, SetUpEvent):
        return _set_up(state, event)
    if isinstance(event, TurnEvent):
        return _turn(state, event)
    if isinstance(event, EndEvent):
        return _end(state, event)
    if isinstance(event, AttackEvent):
        return attack(state, event)
    assert_never(event)


def _set_up(state: State | None, event: SetUpEvent) -> str:
    match event:
        case ev.GameOpened():
            known = SCENARIOS.get(event.scenario)
            what = known.name if known is not None else event.scenario
            return f"Naval Battles begins: {what}, {len(event.seats)} players."
        case ev.NationTaken():
            return f"{event.seat} commands {names.nation_name(event.nation)}{_lead(state, event)}."
        case ev.FleetCommitted():
            if isinstance(event.ships, Hidden):
                return f"{event.seat} has chosen a fleet in secret."
            return f"{event.seat} has chosen {names.ship_names(event.ships.items) or 'no ship'}."
        case ev.FirstPlayerRolled():
            return _first(event)
        case ev.FleetLaidOut():
            return f"{event.seat} lays out: {_fleet(event)}{_lacking(state, event)}."
        case ev.DeckLaid():
            cards = count(event.cards.count, "card")
            return f"The discards become the deck: {cards}." if event.renewed else f"Deck: {cards}."
        case ev.CardsDrawn():
            return f"{event.seat} draws {_hand(state, event.cards)}."
        case _:
            assert_never(event)


def _lead(state: State | None, event: ev.NationTaken) -> str:
    """What the handicap gives."""
    points = 0 if state is None else lead_of(state.options, event.nation)
    return f" and begins with {count(points, 'point')}" if points else ""


def _hand(state: State | None, cards: Hand) -> str:
    if isinstance(cards, Hidden):
        return count(cards.count, "card")
    return names.card_names(state, cards.items)


def _first(event: ev.FirstPlayerRolled) -> str:
    thrown = join(f"{seat} {face}" for seat, face in ordered(event.faces))
    if event.first:
        return f"{event.first} moves first ({thrown})."
    return f"The highest dice are equal ({thrown}): they roll again."


def _fleet(event: ev.FleetLaidOut) -> str:
    parts = [f"row {n} {names.ship_names(row)}" for n, row in enumerate(event.rows, 1)]
    sides = {name: "active" if name in event.active else "passive" for name in event.submarines}
    parts += [f"{names.ship_name(name)} {side}" for name, side in sides.items()]
    return "; ".join(parts) or "no ship"


def _lacking(state: State | None, event: ev.FleetLaidOut) -> str:
    """What a smaller fleet gives."""
    if state is None or not event.lacking:
        return ""
    return f"; {on_left(state, event.seat)} begins with the {event.lacking} that it lacks of 25"


def _turn(state: State | None, event: TurnEvent) -> str:
    match event:
        case ev.TurnBegan():
            return f"Turn {event.turn} (round {event.round}): {event.seat}."
        case ev.StepBegan() | ev.Passed():
            return ""
        case ev.CardsExpired():
            return (
                f"{event.seat} discards what was in play: {names.card_names(state, event.cards)}."
            )
        case ev.FleetArranged():
            return f"{event.seat} rearranges the fleet: {_arranged(event)}."
        case ev.RetreatPlayed():
            return f"{event.seat} retreats: no attack this turn, and none on the fleet."
        case ev.DamageRemoved():
            card = names.card_name(state, event.card)
            return f"{event.seat} removes {card} from {names.ship_name(event.ship)}."
        case ev.ReinforcementsPlayed():
            return _reinforced(state, event)
        case ev.CardPrepared():
            card = names.card_name(state, event.card)
            return f"{event.seat} prepares {card} by {names.ship_name(event.ship)}."
        case ev.CardsDiscarded():
            return f"{event.seat} discards {names.card_names(state, event.cards)}."
        case _:
            assert_never(event)


def _arranged(event: ev.FleetArranged) -> str:
    parts = [f"row {n} {names.ship_names(row)}" for n, row in enumerate(event.rows, 1)]
    if event.active:
        parts.append(f"active {names.ship_names(event.active)}")
    return "; ".join(parts) or "no row"


def _reinforced(state: State | None, event: ev.ReinforcementsPlayed) -> str:
    new = names.ship_names(each.ship for each in event.ships) or "nothing"
    lost = f"; {count(event.lost, 'point')} lost" if event.lost else ""
    return f"{event.seat} plays {names.card_names(state, event.cards)}: {new} joins{lost}."


_REASONS = {
    "points": "on points",
    "resignation": "as the others have left",
    "agreement": "by agreement",
}


def _end(state: State | None, event: EndEvent) -> str:
    match event:
        case ev.EndCalled():
            return f"{event.seat} agrees to end the game."
        case ev.PlayerLeft():
            return f"{event.seat} leaves the game."
        case ev.BattleEnded():
            points = join(f"{seat} {n}" for seat, n in ordered(event.points))
            side = facts.side(state, event.winner) if state is not None else (event.winner,)
            return f"{join(side)} wins the battle ({points})."
        case ev.BattleBegan():
            return f"Battle {event.battle} is set up."
        case ev.GameEnded():
            winners = join(event.winners)
            reason = _REASONS[event.reason]
            return f"{winners} wins {reason}." if winners else f"Nobody wins: {event.reason}."
        case _:
            assert_never(event)
