"""The vault: links by number, copies and replays refused, the same batch always the same dice."""

from __future__ import annotations

import hashlib

import pytest

from domain.kernel.chance import Awaited, Dice, check_faces
from service.dice import nwd1
from service.dice.links import Known, PlayerLinks
from service.dice.nwd1 import DiceError
from service.dice.vault import (
    CHAIN_LENGTH,
    STRIDE,
    Batch,
    DiceBook,
    ServerChain,
    Vault,
    named_master,
)
from service.errors import DiceRefused

GAME, RULES, SCENARIO = bytes(range(16)), bytes(32), b"\x01" * 32
LENGTH = 300


def book(seed: str = "vault", length: int = LENGTH, game: bytes = GAME) -> DiceBook:
    return Vault(length).new_game(game, RULES, SCENARIO, 2, seed)


def digest(text: str) -> bytes:
    return hashlib.sha256(text.encode()).digest()


class Player:
    """A client: keeps its secret, gives links."""

    def __init__(self, g: bytes, place: int, secret: bytes, length: int = LENGTH) -> None:
        self._chain = nwd1.player_chain(g, place)
        self._far = nwd1.player_seed(secret, g, place)
        self._length = length

    def link(self, number: int) -> bytes:
        return self._chain.down(self._far, self._length, number)


@pytest.mark.parametrize("length", [1, STRIDE - 1, STRIDE, STRIDE + 1, LENGTH])
def test_every_link_is_the_one_of_the_whole_chain(length: int) -> None:
    g, master = digest("g"), digest("m")
    chain = ServerChain(master, g, "pub", length)
    link = nwd1.server_seed(master, g, "pub")
    for number in range(length, 0, -1):
        assert chain.link(number) == link
        link = nwd1.th("nwd1/link", g, b"S", b"pub", nwd1.u32(number), link)
    assert chain.tip == link


def test_few_links_are_kept() -> None:
    chain = ServerChain(digest("m"), digest("g"), "pub", CHAIN_LENGTH)
    assert len(chain._kept) == CHAIN_LENGTH // STRIDE + 1


def test_a_chain_ends() -> None:
    with pytest.raises(DiceRefused) as caught:
        book().open_batch(LENGTH + 1, [None, None])
    assert caught.value.code == "dice.exhausted"
    assert book().open_batch(LENGTH, [None, None]).link != b""


def test_batches_are_numbered_from_1() -> None:
    with pytest.raises(DiceError):
        book().open_batch(0, [None, None])


def test_the_same_batch_again_has_the_same_dice() -> None:
    pools = (Dice(30),)
    one, other = book(), book()
    first = one.open_batch(7, [None, digest("l")]).roll("gun", pools)
    assert one.open_batch(7, [None, digest("l")]).roll("gun", pools) == first
    assert other.open_batch(7, [None, digest("l")]).roll("gun", pools) == first


def test_everything_that_should_change_the_dice_does() -> None:
    pools = (Dice(30),)
    rolls = {
        book().open_batch(7, [None, None]).roll("gun", pools),
        book().open_batch(7, [None, None]).roll("torpedo", pools),
        book().open_batch(8, [None, None]).roll("gun", pools),
        book().open_batch(7, [digest("l"), None]).roll("gun", pools),
        book().open_batch(7, [None, digest("l")]).roll("gun", pools),
        book("another seed").open_batch(7, [None, None]).roll("gun", pools),
        book(game=bytes(16)).open_batch(7, [None, None]).roll("gun", pools),
    }
    assert len(rolls) == 7


def test_a_seed_names_the_master_and_no_seed_means_a_new_one() -> None:
    assert book("x").master == named_master("x") == nwd1.th("nwd1/named-seed", b"x")
    vault = Vault(1)
    masters = {vault.new_game(GAME, RULES, SCENARIO, 2).master for _ in range(20)}
    assert len(masters) == 20
    assert all(len(master) == 32 for master in masters)


def test_a_stored_game_is_reopened_with_its_own_length() -> None:
    made = book()
    again = Vault().reopen(made.master, GAME, RULES, SCENARIO, 2, LENGTH)
    assert (again.g, again.tips, again.commitment) == (made.g, made.tips, made.commitment)
    assert Vault().reopen(made.master, GAME, RULES, SCENARIO, 2).g != made.g


def test_a_label_is_rolled_once_in_a_batch() -> None:
    batch = book().open_batch(1, [None, None])
    batch.roll("gun/1", (Dice(2),))
    with pytest.raises(DiceError) as caught:
        batch.roll("gun/1", (Dice(2),))
    assert caught.value.code == "dice.label-repeated"
    assert [roll.label for roll in batch.rolls] == ["gun/1"]


def test_a_batch_answers_the_rules() -> None:
    batch = book().open_batch(1, [None, None])
    awaited = Awaited("gun/1", (Dice(3), Dice(1, 20)), "p1")
    faces = batch.answer(awaited)
    check_faces(awaited, faces)
    assert batch.rolls == [("gun/1", (Dice(3), Dice(1, 20)), faces.faces, None)]


def test_open_dice_do_not_answer_a_hidden_request() -> None:
    batch = book().open_batch(1, [None, None])
    with pytest.raises(DiceError) as caught:
        batch.answer(Awaited("search", (Dice(1),), "p1", "side:p1"))
    assert caught.value.code == "dice.domain"


def test_a_seat_opens_its_links_in_turn() -> None:
    g = book().g
    player = Player(g, 0, b"\x07" * 32)
    links = PlayerLinks.none(g, LENGTH, 2).register(0, player.link(0))
    for number in (1, 2, 3):
        links = links.accept(0, number, player.link(number))
    assert links.known == (Known(player.link(0), 3, player.link(3)), None)


def test_skipped_numbers_hash_down() -> None:
    g = book().g
    player = Player(g, 1, b"\x07" * 32)
    links = PlayerLinks.none(g, LENGTH, 2).register(1, player.link(0))
    links = links.accept(1, 5, player.link(5))
    links = links.accept(1, LENGTH, player.link(LENGTH))
    assert links.known[1] == Known(player.link(0), LENGTH, player.link(LENGTH))


def test_the_newest_link_may_be_sent_again() -> None:
    """An order that rolled nothing leaves its link unspent: the next order brings the same one."""
    g = book().g
    player = Player(g, 0, b"\x07" * 32)
    links = PlayerLinks.none(g, LENGTH, 2).register(0, player.link(0))
    once = links.accept(0, 1, player.link(1))
    assert once.accept(0, 1, player.link(1)) == once


@pytest.mark.parametrize(
    ("number", "given", "code"),
    [
        (4, 5, "dice.link-wrong"),
        (4, 3, "dice.link-wrong"),
        (4, 0, "dice.link-wrong"),
        (2, 2, "dice.link-wrong"),
        (0, 0, "dice.link-wrong"),
        (LENGTH + 1, LENGTH, "dice.exhausted"),
    ],
    ids=["later", "earlier", "tip", "spent", "zero", "beyond"],
)
def test_another_number_than_the_one_needed(number: int, given: int, code: str) -> None:
    g = book().g
    player = Player(g, 0, b"\x07" * 32)
    links = PlayerLinks.none(g, LENGTH, 2).register(0, player.link(0))
    links = links.accept(0, 3, player.link(3))
    with pytest.raises(DiceRefused) as caught:
        links.accept(0, number, player.link(given))
    assert caught.value.code == code


@pytest.mark.parametrize("link", [b"", bytes(31), bytes(32), bytes(33)])
def test_something_that_is_no_link(link: bytes) -> None:
    g = book().g
    links = PlayerLinks.none(g, LENGTH, 2).register(0, Player(g, 0, bytes(32)).link(0))
    with pytest.raises(DiceRefused) as caught:
        links.accept(0, 1, link)
    assert caught.value.code == "dice.link-wrong"


def test_an_opponents_tip_is_refused_at_once() -> None:
    g = book().g
    player = Player(g, 0, b"\x07" * 32)
    links = PlayerLinks.none(g, LENGTH, 2).register(0, player.link(0))
    links = links.accept(0, 2, player.link(2))
    for stolen in (0, 2):
        with pytest.raises(DiceRefused) as caught:
            links.register(1, player.link(stolen))
        assert caught.value.code == "dice.tip-copied"


def test_an_opponents_link_is_of_no_use_even_with_a_copied_tip() -> None:
    """Were the copied tip taken, the opened link would not lead to it: the seat is hashed in."""
    g = book().g
    player = Player(g, 0, b"\x07" * 32)
    copied = Known(player.link(0), 0, player.link(0))
    links = PlayerLinks(g, LENGTH, (copied, copied))
    links = links.accept(0, 1, player.link(1))
    with pytest.raises(DiceRefused) as caught:
        links.accept(1, 1, player.link(1))
    assert caught.value.code == "dice.link-wrong"


def test_a_link_of_another_game_is_refused() -> None:
    g, other = book().g, book(game=bytes(16)).g
    secret = b"\x07" * 32
    links = PlayerLinks.none(g, LENGTH, 2).register(0, Player(g, 0, secret).link(0))
    with pytest.raises(DiceRefused):
        links.accept(0, 1, Player(other, 0, secret).link(1))


def test_a_seat_has_one_tip() -> None:
    links = PlayerLinks.none(book().g, LENGTH, 2).register(0, digest("one"))
    with pytest.raises(DiceRefused) as caught:
        links.register(0, digest("two"))
    assert caught.value.code == "seat.taken"


def test_a_tip_has_32_bytes() -> None:
    with pytest.raises(DiceRefused) as caught:
        PlayerLinks.none(book().g, LENGTH, 2).register(0, bytes(31))
    assert caught.value.code == "dice.tip-malformed"


def test_a_seat_without_a_tip_has_no_links() -> None:
    with pytest.raises(DiceRefused) as caught:
        PlayerLinks.none(book().g, LENGTH, 2).accept(0, 1, bytes(32))
    assert caught.value.code == "dice.link-unexpected"


def test_domains_have_chains_of_their_own() -> None:
    made = DiceBook(digest("m"), digest("g"), LENGTH, ("pub", "side:p1"))
    assert made.tips["pub"] != made.tips["side:p1"]
    batches = [made.open_batch(3, [None], domain) for domain in ("pub", "side:p1")]
    assert isinstance(batches[0], Batch)
    assert batches[0].key != batches[1].key
