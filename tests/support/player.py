"""A player with a dice chain of its own (NWD-1, grade A1)."""

from __future__ import annotations

from service.dice import nwd1
from service.dice.vault import Epoch
from service.models import GameSummary


class Player:
    """Seat number ``place`` from 0; ``length`` is the game's N."""

    def __init__(self, place: int, length: int = 512) -> None:
        self.place = place
        self.length = length
        self.secret = bytes([place]) * 32

    def link(self, g: str, number: int) -> bytes:
        """r[p,number] in the game of parameters ``g`` (hex); number 0 is the tip."""
        params = bytes.fromhex(g)
        far = nwd1.player_seed(self.secret, params, self.place)
        return nwd1.player_chain(params, self.place).down(far, self.length, number)

    def tip(self, game: GameSummary) -> bytes:
        """The tip of the chain that is in use now."""
        return self.link(self.params(game), 0)

    def next_link(self, game: GameSummary) -> bytes:
        """What the seat sends with its next command."""
        batch = game.next_batch + game.link_credit - 1
        return self.link(self.params(game), batch - game.first_batch + 1)

    def new_tip(self, game: GameSummary) -> bytes | None:
        """What the seat sends besides, while its new chain is not known."""
        known = game.seats[self.place].dice_tip
        return None if known else self.tip(game)

    def params(self, game: GameSummary) -> str:
        """What the chains in use are bound to, in hex."""
        if game.chain_params:
            return game.chain_params
        epoch = Epoch(game.renewals, game.first_batch - 1)
        return epoch.params(bytes.fromhex(game.params)).hex()
