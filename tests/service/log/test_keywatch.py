"""Keys are watched: the service's lists from look to look, and what one's own key has signed."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgspec
import pytest

from service import container
from service.cli import main
from service.evidence import bundle
from service.evidence.keylist import KeyList, ListedKey, sign_list
from service.evidence.receipts import Accepted, as_field, give
from service.evidence.signing import SigningKey
from service.log.games import leaves_of
from tests.service.evidence.playing import AT, GAME_ID
from tests.service.evidence.test_signed_orders import ONE, signed, slow_game
from tests.service.log.logs import LOG, write_log
from tests.spec.whole import BUNDLES, ROOT_KEY
from tests.support import pennant

RECEIPTS = SigningKey("decklog.example/receipts", b"c" * 32)
Look = Callable[..., tuple[int, list[str]]]


def listed(serial: int, *, log: str = str(LOG.public), **more: Any) -> bytes:
    keys = (ListedKey("bundles", str(BUNDLES.verify_key), AT, **more), ListedKey("log", log, AT))
    told = KeyList(1, "decklog.example", str(ROOT_KEY.verify_key), serial, AT, keys)
    return sign_list(told, ROOT_KEY)


@pytest.fixture
def look(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Look:
    """A look of one monitor: its exit code, and what it says of keys."""
    game = signed(slow_game()).export()
    write_log(tmp_path / "log", [each.data for each in leaves_of(game)])

    def call(*more: str, keys: bytes = b"") -> tuple[int, list[str]]:
        (tmp_path / "game").write_bytes(bundle.signed(game, BUNDLES, keys) if keys else game)
        line = ["monitor", str(tmp_path / "log"), "--log", str(LOG.public), "--json"]
        line += ["--folder", str(tmp_path / "m"), "--game", str(tmp_path / "game"), *more]
        code = main(line, {"pennant": pennant.GAME})
        told = json.loads(capsys.readouterr().out)
        texts = [each["text"] for each in told]
        return code, [each for each in texts if not each.endswith(("is in the log", "them new"))]

    return call


ROOT = ("--root", str(ROOT_KEY.verify_key))


def test_lists_of_keys_are_watched_from_look_to_look(look: Look) -> None:
    assert look(*ROOT, keys=listed(1)) == (0, [f"list 1 of the keys, of {AT}"])
    code, told = look(*ROOT, keys=listed(1, until=AT))
    assert (code, "has signed both" in told[0]) == (1, True)
    assert look(*ROOT, keys=listed(2)) == (0, [f"list 2 of the keys, of {AT}"])
    # an older file has an older list
    assert look(*ROOT, keys=listed(1)) == (0, [f"list 2 of the keys, of {AT}"])
    code, told = look(*ROOT, keys=listed(3, compromised=AT))
    hint = BUNDLES.verify_key.hint
    assert (code, told[0]) == (1, f"{hint} was taken back: others may have it since {AT}")
    assert look(*ROOT) == (0, [f"list 3 of the keys, of {AT}"])


def test_a_log_of_another_key_and_a_list_of_another_root_are_alarms(look: Look) -> None:
    other = str(SigningKey("decklog.example/log", b"o" * 32).verify_key)
    code, told = look(*ROOT, keys=listed(1, log=other))
    assert (code, told[0]) == (1, f"the log's key {LOG.public.hint} is not in the list of keys")
    stranger = ("--root", str(SigningKey("decklog.example/root", b"s" * 32).verify_key))
    code, told = look(*stranger, keys=listed(2))
    assert (code, "is not signed by" in told[0]) == (1, True)


@pytest.mark.parametrize("kept", [b"", b"{", listed(1)[:-9]])
def test_a_list_that_was_kept_and_is_none_ends_no_watch(
    look: Look, tmp_path: Path, kept: bytes
) -> None:
    """Somebody wrote into the folder, or the monitor was killed as it wrote."""
    assert look(*ROOT, keys=listed(1))[0] == 0
    (tmp_path / "m" / "keys.dsse.json").write_bytes(kept)
    code, told = look(*ROOT, keys=listed(2, compromised=AT))
    assert code == 1
    assert any("the list of the last look" in each for each in told) == bool(kept)
    assert any("was taken back" in each for each in told)
    assert look(*ROOT) == (0, [f"list 2 of the keys, of {AT}"])


def test_a_key_of_no_seat_is_said_to_be_none(look: Look) -> None:
    """Else whoever mistypes his key would be told that all is well."""
    code, told = look("--own", "ab" * 32)
    assert (code, told[0].endswith("no seat signs its orders with your key")) == (0, True)
    own = ONE.verify_key.public.hex()
    assert look("--own", own.upper()) == look("--own", own)
    assert look("--own", own)[0] == 1


def test_without_a_list_nothing_can_be_said(look: Look) -> None:
    assert look(*ROOT) == (0, ["nobody has shown a list of the service's keys"])


def test_an_order_of_one_s_own_key_without_a_receipt_is_an_alarm(
    look: Look, tmp_path: Path
) -> None:
    lines = container.unpack(signed(slow_game()).export())[bundle.COMMANDS].splitlines()
    orders = [msgspec.json.decode(line, type=bundle.OrderLine) for line in lines]
    own = [each for each in orders if each.signature is not msgspec.UNSET]
    line: list[str] = ["--own", ONE.verify_key.public.hex()]
    for number, each in enumerate(own):
        took = Accepted("order", each.seat, bytes(each.command), each.last, "0" * 64)
        path = tmp_path / f"receipt {number}"
        path.write_text(as_field(give(GAME_ID.hex(), took, "9998-01-01T00:00:00.000Z", RECEIPTS)))
        line += ["--receipt", str(path)]
    code, told = look(*line)
    mine = [each for each in told if "your key" in each]
    assert mine[0].endswith(
        f"your key has p1, and signed {len(own)} orders, each of which you have a receipt of"
    )
    code, told = look(*line[:-2])
    assert code == 1
    (alarm,) = [each for each in told if "your key" in each]
    assert f"the order of event {own[-1].first} is signed with your key" in alarm
    nobody = ("--own", "00" * 32)
    assert [each for each in look(*nobody)[1] if "your key has" in each] == []
