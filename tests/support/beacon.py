"""A public beacon of the tests' own, whose every round they can make; and rounds of a real one."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path

from service.dice import nwd1
from service.evidence import bls
from service.evidence.beacon import QUICKNET, Network

SECRET = 0x5EC2E7

OWN = Network(
    "a beacon of the tests",
    "8aff799da4efdcaa163cbfcc6fd1e13b20e150389d0752090b9883f5b9ab9c353ef3bb8eaf3a19e77c31e895ac225536"
    "0ca641a444b8f9016ee7310e51db87c246c618be0a86f489e4443d3e7bdcff6bbf6fcd9b4e0d989658a47f328ea86d6d",
    1_692_803_367,
    3,
)

REAL = {
    123: "b75c69d0b72a5d906e854e808ba7e2accb1542ac355ae486d591aa9d43765482"
    "e26cd02df835d3546d23c4b13e0dfc92",
    657_413: "b713718a38ae728dfd477991af2822e08d2f305e47718cef9f7848ce4050e7be"
    "41076862b98fad56e91a6b85b89cd97b",
}
"""Rounds of quicknet as they came in August and September 2023."""

RANDOMNESS = {
    123: "fb8f7bc29bf24db51871ec8c79f3a1e4bd0557bc0dfcee9ed1d924e69d1c60dc",
    657_413: "fc1873a13f3545aeade8401532ef5519920652eee6b0d2b19ca12643b87b3587",
}


def signed(number: int, secret: int = SECRET) -> str:
    """The signature of a round of the tests' own beacon, in hex."""
    message = hashlib.sha256(nwd1.u64(number)).digest()
    return bls.compressed(bls.times(bls.onto_curve(message), secret)).hex()


def put(folder: Path, number: int, signature: str) -> None:
    """A round, where a folder has it."""
    place = folder / QUICKNET / "public"
    place.mkdir(parents=True, exist_ok=True)
    randomness = hashlib.sha256(bytes.fromhex(signature)).hexdigest()
    told = {"round": number, "randomness": randomness, "signature": signature}
    (place / str(number)).write_text(json.dumps(told))
