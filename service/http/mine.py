"""What each piece of the caller's seat may do now, or why it may do nothing."""

from __future__ import annotations

import asyncio

from litestar import Controller, Response
from msgspec import UNSET, UnsetType

from domain.kernel.rules import Refused
from domain.kernel.values import PUBLIC, TRUTH
from projections.doings import Doing, doings
from projections.records import Rules
from service.models import Answer, GameSummary, View
from service.problems import Refusal

from .access import viewer
from .asked import AnyGame, Asked
from .commands import TAG
from .given import Given, Seen
from .moments import READING
from .operation import tells
from .routes import get


class WhyNot(Answer, frozen=True):
    """The refusal that the piece's most natural commands meet.

    code  the code of the problem that giving one of them would be answered with
    rule  ID of the rule that refuses; "" for what hangs on no rule
    hint  a sentence for people, as in the problem
    """

    code: str
    rule: str
    hint: str


class Piece(Answer, frozen=True):
    """A piece of the seat: a unit in play, a card in hand, or a card that lies prepared.

    id         its id, as commands name it; a card in hand and one that lies prepared may share it
    name       its name in words; "" where it has none
    place      the field of the view's `state` that holds it
    ready      number of listed commands by which it acts
    pointless  number of those that are certain to achieve nothing: they carry `pointless`
    hopeless   number of those that cannot succeed, whatever their dice show: their `oddsSummary`
               has a `hopeless`; a command that carries both counts in both
    built      a command that is not listed takes it: one of a template
    refused    why it may do nothing; left out where it may do something, and in a game none of
               whose commands names a piece
    """

    id: str
    name: str
    place: str
    ready: int
    pointless: int
    hopeless: int
    built: bool
    refused: WhyNot | UnsetType = UNSET


class PieceList(Answer, frozen=True):
    """All that the caller's seat has, in the order of the view's `state`.

    game     its id
    seat     the seat whose pieces they are; "" for an onlooker, who has none
    version  of the game that it holds for
    """

    game: str
    seat: str
    version: int
    rules: Rules
    items: tuple[Piece, ...]


class Mine(Controller):
    """The caller's own pieces."""

    path = "/v1/games/{game:str}/pieces"
    tags = (TAG,)

    @get(
        summary="List what each piece may do",
        guards=[viewer()],
        opt=tells(
            "The pieces.",
            "ETag",
            problems=READING,
        ),
    )
    async def list_pieces(self, request: Asked, moment: Given[Seen]) -> Response[PieceList]:
        """Every unit and card of the caller's seat, in play, in hand or prepared: how many commands
        of the list are its own, or the refusal that what its fellows may do would meet (where they
        may do nothing: that of commands that name it), so that a page can show each dim piece with
        its reason. Nothing is written; it is decided on what the seat itself may see. An onlooker
        has no pieces. With `at` it is asked of an earlier version, with `as` of another seat.
        """
        summary, viewer, version, _ = moment
        view = await request.desk.reader.view(summary.id, viewer, version)
        game = request.played_in(summary)
        if view.state is None or not _settled(game, view):
            raise Refusal("version.unknown", "Nobody has a command before all is done there.")
        body = await asyncio.to_thread(_pieces, game, summary, view)
        return request.told(body, version=view.version)


def pieces_of(game: AnyGame, summary: GameSummary, view: View) -> PieceList | None:
    """The pieces of who sees the view; None where nobody has a command yet."""
    return _pieces(game, summary, view) if _settled(game, view) else None


def _settled(game: AnyGame, view: View) -> bool:
    """Whether somebody is asked, dice are awaited, or it is over: not between two events."""
    state = view.state
    return bool(game.pending(state) or game.awaiting(state) or game.result(state))


def _pieces(game: AnyGame, summary: GameSummary, view: View) -> PieceList:
    seat = "" if view.viewer in (PUBLIC, TRUTH) else view.viewer
    return PieceList(
        game=summary.id,
        seat=seat,
        version=view.version,
        rules=summary.rules_at(view.version),
        items=tuple(_piece(game, view, each) for each in doings(game, view.state, seat)),
    )


def _piece(game: AnyGame, view: View, doing: Doing) -> Piece:
    return Piece(
        id=doing.piece,
        name=game.insight.calls(view.state, doing.piece),
        place=doing.where,
        ready=doing.ready,
        pointless=doing.vain,
        hopeless=doing.hopeless,
        built=doing.built,
        refused=UNSET if doing.refused is None else _why(doing.refused),
    )


def _why(refused: Refused) -> WhyNot:
    return WhyNot(code=refused.code, rule=refused.rule, hint=refused.hint)
