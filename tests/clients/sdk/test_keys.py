"""Both ready-made clients sign the very bytes that the service reads a signature over."""

from __future__ import annotations

import builtins
import json
import os
import stat
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import httpx
import pytest

from domain.kernel.codec import canonical
from service.bots import Signer
from service.evidence.ed25519 import verify
from service.evidence.seatkeys import (
    Given,
    OrderSignature,
    SeatKey,
    is_passed_on,
    is_signed,
    what_is_signed,
)
from tests.support.programs import NODE
from tests.support.server import ROOT

SCRIPT = ROOT / "openapi" / "clients" / "typescript" / "src"
TRIALS = Path(__file__).with_name("keys.mjs")
SECRET, OTHER = b"1" * 32, b"2" * 32
SUMMARY: dict[str, Any] = {
    "id": "0123456789abcdef" * 2, "rules": {"digest": "d" * 64}, "params": "a" * 64,
    "toMove": [{"seat": "p2", "question": "which?", "subject": "Graf Spee"}],
    "seats": [{"seat": "p1", "last": 0}, {"seat": "p2", "last": 2**53 - 1}],
}  # fmt: skip
MOST = 2**53 - 1
COMMANDS: list[dict[str, Any]] = [
    {"type": "pennant.choose", "colour": "bold"},
    {"type": "x", "z": 1, "a": {"b": [], "B": {}, "_": None, "aa": True, "a": False}},
    {"type": "x", "name": 'Krångede "Ö" \\ / \u2028 \x00\x1f\x7f\n\t\b\f\r \U0001f6a2', "": ""},
    {"type": "x", "numbers": [0, -1, MOST, -MOST], "deep": [[[{"z": [1, {"y": []}], "a": ""}]]]},
    # Halves of characters, as JavaScript compares them, would turn these two round.
    {"type": "x", "\U0001f6a2": 1, "\uff5e": 2, "ab": 3, "a": 4},
]
"""As no game has them, too: what is signed has one form whatever the order is."""
ORDERS = [
    (summary, seat, command)
    for command in COMMANDS
    for summary in (SUMMARY, {**SUMMARY, "chainParams": "b" * 64})
    for seat in ("p1", "p2")
]


PUBLISHED = json.loads((ROOT / "openapi/spec/vectors/signatures.json").read_text("utf-8"))["orders"]
"""Orders with the bytes that a seat signs, as whoever writes a client finds them."""


def placed(order: dict[str, Any]) -> tuple[dict[str, Any], str, Any]:
    """A published order as a client has it in hand."""
    seat, asked = order["seat"], {name: order[name] for name in ("seat", "question", "subject")}
    summary = {
        "id": order["game"], "rules": {"digest": order["rules"]}, "chainParams": order["chains"],
        "toMove": [asked] if order["question"] else [],
        "seats": [{"seat": seat, "last": order["after"]}],
    }  # fmt: skip
    return summary, seat, order["command"]


def signed_by_service(summary: dict[str, Any], seat: str, command: Any) -> bytes:
    place = next(each["last"] for each in summary["seats"] if each["seat"] == seat)
    asked = seat == "p2"
    signature = OrderSignature("which?" if asked else "", "Graf Spee" if asked else "", "")
    chains = summary.get("chainParams", summary["params"])
    given = Given(summary["id"], seat, place, canonical(command), "d" * 64, chains)
    return what_is_signed(given, signature)


def told(status: int, body: Any) -> dict[str, Any]:
    return {"status": status, "body": body}


def summary_at(last: int) -> dict[str, Any]:
    return {**SUMMARY, "seats": [{"seat": "p1", "last": last}]}


WRONG = told(403, {"code": "signature.wrong"})
DONE = told(200, {"version": 9})
ANSWERS = {
    "at once": [told(200, summary_at(3)), DONE],
    "its link came between": [told(200, summary_at(3)), WRONG, told(200, summary_at(4)), DONE],
    "another key": [told(200, summary_at(3)), WRONG, told(200, summary_at(3))],
    "no key": [told(200, summary_at(3)), told(403, {"code": "signature.unexpected"})],
    "too late": [told(200, summary_at(3)), told(412, {"code": "version.stale"})],
}
KNOWN = [DONE | {"status": 201}]
"""Where the game is known nothing but the order goes out; 201, so that it is no summary."""


@pytest.fixture(scope="module")
def script() -> dict[str, Any]:
    given = {
        "secret": SECRET.hex(), "other": OTHER.hex(), "command": COMMANDS[0],
        "orders": [*ORDERS, *(placed(each["order"]) for each in PUBLISHED)],
        "answers": [*ANSWERS.values(), KNOWN], "known": summary_at(3),
    }  # fmt: skip
    done = subprocess.run(
        [NODE, str(TRIALS), str(SCRIPT)], input=json.dumps(given),
        capture_output=True, text=True, timeout=100, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr[-4000:]
    found: dict[str, Any] = json.loads(done.stdout)
    return found


# --- the bytes -----------------------------------------------------------------------------------


def test_both_sign_the_bytes_that_the_service_reads(sdk: Any, script: dict[str, Any]) -> None:
    key = sdk.SeatKey(SECRET)
    public = Signer(SECRET).registered["public"]
    assert script["public"] == key.public == public
    for (summary, seat, command), of_script in zip(ORDERS, script["orders"], strict=False):
        text = signed_by_service(summary, seat, command)
        assert sdk.keys.what_is_signed(summary, seat, command) == text
        assert of_script["text"].encode() == text
        signature = key.sign(summary, seat, command)
        assert of_script["signature"] == signature == Signer(SECRET).sign(summary, seat, command)
        assert verify(bytes.fromhex(public), text, bytes.fromhex(signature))


def test_both_sign_the_bytes_that_are_published(sdk: Any, script: dict[str, Any]) -> None:
    assert len(PUBLISHED) == 8
    for each, of_script in zip(PUBLISHED, script["orders"][len(ORDERS) :], strict=True):
        text = bytes.fromhex(each["signed"])
        assert sdk.keys.what_is_signed(*placed(each["order"])) == text
        assert of_script["text"].encode() == text


def test_a_signature_fits_its_order_and_its_place_alone(sdk: Any) -> None:
    summary, seat, command = ORDERS[0]
    value = sdk.SeatKey(SECRET).sign(summary, seat, command)
    given = Given(summary["id"], seat, 0, canonical(command), "d" * 64, "a" * 64)
    key, other = (Signer(each).registered["public"] for each in (SECRET, OTHER))
    assert is_signed(given, key, OrderSignature("", "", value))
    assert not is_signed(given, other, OrderSignature("", "", value))
    assert not is_signed(given._replace(after=1), key, OrderSignature("", "", value))


def test_a_key_is_passed_on_as_the_organisers_program_reads_it(
    sdk: Any, script: dict[str, Any]
) -> None:
    one, two = sdk.SeatKey(SECRET), sdk.SeatKey(OTHER)
    signature = one.pass_on("g", "p1", two)
    assert script["passed"] == signature
    assert is_passed_on("g", "p1", SeatKey(two.public, "client"), one.public, signature)


def test_no_order_has_other_numbers(sdk: Any, script: dict[str, Any]) -> None:
    assert script["parts"] == ["RangeError", "RangeError"]
    with pytest.raises(ValueError, match="JSON"):
        sdk.keys.what_is_signed(SUMMARY, "p1", {"number": float("nan")})


# --- the key -------------------------------------------------------------------------------------


def test_a_script_keeps_a_key_that_nobody_can_read(script: dict[str, Any]) -> None:
    assert script["able"]
    assert script["again"], "it is the same one when it was kept as IndexedDB keeps it"
    assert script["unread"] == "InvalidAccessError"
    assert script["read"] == 48
    own, of_page = script["registered"]
    assert (own["keeper"], of_page["keeper"]) == ("client", "page")


def test_a_key_is_kept_in_a_file_of_its_owner(sdk: Any, tmp_path: Path) -> None:
    path = tmp_path / "keys" / "p1.key"
    made = sdk.SeatKey.kept(path)
    assert sdk.SeatKey.kept(path).secret == made.secret
    assert len(made.secret) == 32
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert made.registered == {"public": made.public, "keeper": "client"}
    assert os.listdir(path.parent) == [path.name]
    for secret in (b"short", b""):
        with pytest.raises(ValueError, match="32 bytes"):
            sdk.SeatKey(secret)
    path.write_text("", "ascii")
    with pytest.raises(ValueError, match="32 bytes"):
        sdk.SeatKey.kept(path)  # a key that nobody kept would be lost with the program


def test_of_two_who_begin_at_once_both_have_the_key_that_is_kept(
    sdk: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path, link = tmp_path / "p1.key", os.link

    def overtaken(source: str, target: Path) -> None:
        target.write_text("5a" * 32 + "\n", "ascii")
        link(source, target)

    monkeypatch.setattr(os, "link", overtaken)
    assert sdk.SeatKey.kept(path).secret == bytes([0x5A]) * 32
    assert os.listdir(tmp_path) == [path.name]


def test_who_lacks_the_package_is_told_which_extra_brings_it(
    sdk: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    found = builtins.__import__

    def without(name: str, *more: Any) -> Any:
        if name.startswith("cryptography"):
            raise ImportError(name)
        return found(name, *more)

    monkeypatch.setattr(builtins, "__import__", without)
    with pytest.raises(ImportError, match=r"pip install 'decklog-client\[keys\]'"):
        sdk.SeatKey()


# --- giving an order -----------------------------------------------------------------------------


def asked_of_python(
    sdk: Any, spoken_to: Callable[..., Any], answers: list[dict[str, Any]]
) -> tuple[Any, list[tuple[str, str, str]]]:
    heard, left = [], list(answers)

    def answer(request: httpx.Request) -> httpx.Response:
        fields = (
            request.headers.get(each, "") for each in ("decklog-signature", "idempotency-key")
        )
        heard.append((request.method, *fields))
        now = left.pop(0)
        return httpx.Response(now["status"], json=now["body"])

    client = spoken_to(answer)
    flow = client.calls.give_signed("g", COMMANDS[0], 5, "p1", sdk.SeatKey(SECRET))
    try:
        return client._run(flow), heard
    except sdk.Problem as error:
        return error.code, heard


def test_an_order_is_signed_again_where_its_seat_has_gone_on(
    sdk: Any, spoken_to: Callable[..., Any], script: dict[str, Any]
) -> None:
    three, four = (sdk.SeatKey(SECRET).sign(summary_at(n), "p1", COMMANDS[0]) for n in (3, 4))
    expected: dict[str, tuple[Any, list[str]]] = {
        "at once": ({"version": 9}, ["", three]),
        "its link came between": ({"version": 9}, ["", three, "", four]),
        "another key": ("signature.wrong", ["", three, ""]),
        "no key": ("signature.unexpected", ["", three]),
        "too late": ("version.stale", ["", three]),
    }
    *scripted, known = script["answers"]
    for (name, answers), of_script in zip(ANSWERS.items(), scripted, strict=True):
        came, heard = asked_of_python(sdk, spoken_to, answers)
        both = (came, heard), (of_script["came"], of_script["heard"])
        for result, requests in both:
            assert (result, [each[1] for each in requests]) == expected[name], name
            keys = [each[2] for each in requests if each[0] == "POST"]
            assert len(set(keys)) == len(keys), "another signature is another request"
    assert (known["came"], [each[:2] for each in known["heard"]]) == (
        {"version": 9},
        [["POST", three]],
    )
