"""What is made up for a fork agrees with everything that its viewer knows.

The model is a resampling test: make up what a view leaves open, look at it with the same eyes, and
see the same view. That alone would let a supposed hand forget a card that was shown to all, since
the hand is sealed in both; so each public claim about the hidden must hold besides.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from ..codec import canonical, full
from ..conformance import Nonconformance
from ..fork import Choose
from ..game import Game
from ..shown.claims import claims_of
from ..values import Viewer

AnyGame = Game[Any, Any, Any]
Seeded = Callable[[], Choose]
"""Makes the same numbers anew at each call."""

SEALED = "hidden"
ENVELOPE = 1
"""The count of a secret whose size is secret too."""


def sealed(state: Any) -> bool:
    """Whether something in it is hidden."""
    return f'"sight":"{SEALED}"' in canonical(state).decode()


def check_supposition(game: AnyGame, view: Any, viewer: Viewer, seeded: Seeded) -> Any:
    """What is supposed of ``view``; raises Nonconformance with all that contradicts it."""
    supposed = game.insight.suppose(view, seeded())
    found = list(contradictions(game, view, supposed, viewer))
    if canonical(supposed) != canonical(game.insight.suppose(view, seeded())):
        found.append("the same numbers make up something else")
    if found:
        raise Nonconformance(f"supposed for {viewer}: " + "; ".join(found))
    return supposed


def contradictions(game: AnyGame, view: Any, supposed: Any, viewer: Viewer) -> Iterator[str]:
    """Everything that the viewer of ``view`` knows and that is not so in what was supposed."""
    if sealed(supposed):
        yield "something is left hidden"
    if canonical(_sealed_again(full(view), full(supposed))) != canonical(full(view)):
        yield "seen with the same eyes it is another view"
    for name, asked in _public(game).items():
        if asked(view) != asked(supposed):
            yield f"{name} of it is another"
    if game.legal(view, viewer) != game.legal(supposed, viewer):
        yield "its viewer may do other things"
    if game.awaiting(supposed) is None:
        yield from _dead_ends(game, supposed)
    for claim in claims_of(game.insight.claims, view):
        if not claim.holds(supposed):
            yield f"it is not so that {claim.text} ({claim.rule})"


def _public(game: AnyGame) -> dict[str, Callable[[Any], Any]]:
    """What every viewer is told alike."""
    return {
        "result": game.result,
        "score": game.scores,
        "request for dice": game.awaiting,
        "open questions": game.pending,
        "secrecy": game.secrets,
    }


def _dead_ends(game: AnyGame, state: Any) -> Iterator[str]:
    for question in game.pending(state):
        if not game.legal(state, question.seat).commands:
            yield f"{question.seat} is asked {question.question} and can do nothing"


def _sealed_again(view: Any, supposed: Any) -> Any:
    """``supposed`` with everything put back into its envelope that is in one in ``view``."""
    if isinstance(view, dict) and isinstance(supposed, dict):
        if view.get("sight") == SEALED:
            return _envelope(view, supposed)
        return {key: _sealed_again(view.get(key), item) for key, item in supposed.items()}
    if isinstance(view, list) and isinstance(supposed, list) and len(view) == len(supposed):
        return [_sealed_again(one, other) for one, other in zip(view, supposed, strict=True)]
    return supposed


def _envelope(view: dict[str, Any], supposed: dict[str, Any]) -> dict[str, Any]:
    """Closed again, if as much is in it as everybody may count."""
    count = len(supposed.get("items", ()))
    return view if count == view["count"] or view["count"] == ENVELOPE else supposed
