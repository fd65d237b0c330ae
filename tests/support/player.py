"""A player with a dice chain of its own (NWD-1, grade A1)."""

from __future__ import annotations

from service.dice import nwd1


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
