"""What shows a game, asked as its engine is: sentences, pictures, names, bots.

It lies in an archive of its own (``shown.py``), which the first call brings. No record and no
verdict hangs on it.
"""

from __future__ import annotations

from base64 import b64decode
from typing import Any

import msgspec
from msgspec import UNSET

from .choosing import Chooser
from .wire import Answer, Asked, Calls, Malformed, Request


def _lay(it: Asked, asked: Request) -> Answer:
    """Bring what shows the game. Raises Unloadable."""
    from . import shown  # the builder of archives comes with it

    text: Any = msgspec.json.decode(b"null" if asked.document is UNSET else asked.document)
    if not isinstance(text, str):
        raise Malformed("it brings no document")
    game = shown.lay(it.loaded, b64decode(text))
    shown.try_sample(it.loaded, game)
    it.game = game
    return {"laid": True}


def _game(it: Asked) -> Any:
    if it.game is None:
        raise Malformed("nothing shows the game here")
    return it.game


def _before(it: Asked, asked: Request) -> Any:
    return None if asked.before is UNSET else it.state_of(asked.before)


def _describe(it: Asked, asked: Request) -> Answer:
    game, state = _game(it), it.state(asked)
    return {"described": [it.raw(game.describe(state, each)) for each in it.several(asked)]}


def _worthwhile(it: Asked, asked: Request) -> Answer:
    game, state = _game(it), it.state(asked)
    tell = getattr(game, "worthwhile", lambda state, command: None)  # older ones tell nothing
    return {"worthwhile": [tell(state, each) for each in it.several(asked)]}


def _later(it: Asked, asked: Request) -> Answer:
    """Odds of dice that fall later only; older games tell none."""
    tell, state = getattr(_game(it), "odds_later", lambda state, command: None), it.state(asked)
    return {"later": [tell(state, each) for each in it.several(asked)]}


def _fails(it: Asked, asked: Request) -> Answer:
    """Why commands come to nothing before any die; older games do not say so."""
    tell, state = getattr(_game(it), "fails", lambda state, command: ""), it.state(asked)
    return {"fails": [tell(state, each) for each in it.several(asked)]}


def _preview(it: Asked, asked: Request) -> Answer:
    return {"preview": _game(it).preview(it.state(asked), it.command(asked))}


def _short(it: Asked, asked: Request) -> Answer:
    """Odds in the shape that all games share."""
    odds = msgspec.json.decode(asked.document) if asked.document is not UNSET else None
    return {"short": it.raw(_game(it).odds_in_short(odds))}


def _says(it: Asked, asked: Request) -> Answer:
    """An event as a sentence, and what it means in words that all games share."""
    (event,) = it.events(asked)
    game, before = _game(it), _before(it, asked)
    return {"text": game.says(before, event), "roles": it.raw(game.meaning(before, event))}


def _board(it: Asked, asked: Request) -> Answer:
    return {"board": _game(it).board(it.state(asked))}


def _scene(it: Asked, asked: Request) -> Answer:
    events = tuple(it.events(asked))
    drawn = _game(it).scene(it.state(asked), _before(it, asked), events, asked.unit)
    return {"scene": it.raw(drawn)}


def _calls(it: Asked, asked: Request) -> Answer:
    return {"called": _game(it).insight.calls(it.state(asked), asked.unit)}


def _figures(it: Asked, asked: Request) -> Answer:
    found = _game(it).insight.figures(it.state(asked), asked.unit)
    return {"figures": it.raw(dict(found))}


def _suppose(it: Asked, asked: Request) -> Answer:
    supposed = _game(it).insight.suppose(it.state(asked), Chooser(asked.seed))
    return {"state": it.raw(supposed)}


def _freed(it: Asked, asked: Request) -> Answer:
    return {"freed": bool(_game(it).insight.freed(it.state(asked)))}


def _odds(it: Asked, view: Any, seat: str, command: Any) -> Any:
    """The odds beside an offer, as bots of this build have them; older games tell fewer."""
    beside = getattr(_game(it), "odds_beside", lambda view, seat, each: it.engine.odds(view, each))
    return beside(view, seat, it.command_of(command))


def _bot(it: Asked, asked: Request) -> Answer:
    """What a bot of the game gives to a question, from what its seat sees."""
    game, view = _game(it), it.state(asked)
    kernel = it.loaded.kernel
    legal = it.engine.legal(view, asked.seat).commands
    items = [{"command": msgspec.json.decode(it.raw(each))} for each in legal]
    position = kernel("shown.bot").Position(
        asked.seat, asked.kind, items, lambda: kernel("codec").full(view),
        {unit.id: msgspec.to_builtins(unit) for unit in game.catalogue.units()},
        lambda item: _odds(it, view, asked.seat, item["command"]), asked.unit,
    )  # fmt: skip
    return {"command": game.bots[asked.name]().choose(position)["command"]}


CALLS: Calls = {
    "board": _board, "bot": _bot, "calls": _calls, "describe": _describe, "fails": _fails,
    "figures": _figures, "freed": _freed, "later": _later, "lay": _lay, "preview": _preview,
    "says": _says, "scene": _scene, "short": _short, "suppose": _suppose, "worthwhile": _worthwhile,
}  # fmt: skip
"""What may be asked of what shows a game, by name."""
