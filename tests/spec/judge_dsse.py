"""A foreign judge of our envelopes: ``securesystemslib``, the reference of DSSE in Python.

It is no part of the tests' own environment: ``DECKLOG_TEST_SECURESYSTEMSLIB`` names a Python that
has it (``pip install securesystemslib cryptography``, in an environment of its own). Where it is
not, what it has answered stands in tests/data/dsse-securesystemslib.json, with the SHA-256 of the
envelopes. ``python -m tests.spec.judge_dsse --write`` asks anew.
"""

from __future__ import annotations

import hashlib
import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

from service import container
from service.evidence import bundle
from service.evidence.signing import VerifyKey
from tests.spec.whole import BUNDLES, ORGANISER, RECEIPTS, ROOT_KEY, WITNESS, cosigned
from tests.support.server import ROOT

RECORDED = ROOT / "tests" / "data" / "dsse-securesystemslib.json"
SECONDS = 120

PROGRAM = """
import json, sys
from importlib.metadata import version
from securesystemslib.dsse import Envelope
from securesystemslib.exceptions import VerificationError
from securesystemslib.signer import SSlibKey

def told(each, envelope):
    keys = [
        SSlibKey(k["keyid"], "ed25519", "ed25519", {"public": k["public"]}) for k in each["keys"]
    ]
    try:
        found = Envelope.from_dict(json.loads(envelope)).verify(keys, len(keys))
    except VerificationError:
        return "refused"
    return f"holds, by {', '.join(sorted(found))}"

asked = json.load(open(sys.argv[1]))
print(json.dumps({
    "securesystemslib": version("securesystemslib"),
    "answers": {each["what"]: told(each, each["envelope"]) for each in asked},
}))
"""


def _key(key: VerifyKey, keyid: str = "") -> dict[str, str]:
    return {"keyid": keyid or key.hint, "public": key.public.hex()}


def _asked(what: str, envelope: bytes, *keys: dict[str, str]) -> dict[str, Any]:
    return {"what": what, "envelope": envelope.decode(), "keys": list(keys)}


def envelopes() -> list[dict[str, Any]]:
    """Each kind that we write, with the keys that signed it, and such as do not hold."""
    with tempfile.TemporaryDirectory() as folder:
        files = container.unpack(cosigned(Path(folder)))
    root, bundles, receipts = (_key(key.verify_key) for key in (ROOT_KEY, BUNDLES, RECEIPTS))
    others = [_key(key.verify_key, str(key.verify_key)) for key in (ORGANISER, WITNESS)]
    manifest, keys = files[bundle.SIGNATURE], files[bundle.KEYS]
    one, two = files[bundle.RECEIPTS].splitlines()
    strange = {**bundles, "public": receipts["public"]}
    return [
        _asked("list of keys", keys, root),
        _asked("manifest", manifest, bundles),
        _asked("receipt", one, receipts),
        _asked("another receipt", two, receipts),
        _asked("cosignatures, both", files[bundle.COSIGNED], *others),
        _asked("manifest, by another key", manifest, strange),
        _asked("receipt, as another kind", one.replace(b"receipt.v1", b"receipt.v2"), receipts),
        _asked("receipt, the payload of another", _exchanged(one, two), receipts),
    ]


def _exchanged(one: bytes, two: bytes) -> bytes:
    told = {**json.loads(one), "payload": json.loads(two)["payload"]}
    return json.dumps(told).encode()


def digest() -> str:
    """Of what is asked."""
    return hashlib.sha256(json.dumps(envelopes(), sort_keys=True).encode()).hexdigest()


def judge() -> str:
    """The Python that has the library; "" for none."""
    return os.environ.get("DECKLOG_TEST_SECURESYSTEMSLIB", "")


def asked(python: str) -> Any:
    """What the library says, with its version."""
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "envelopes.json"
        file.write_text(json.dumps(envelopes()))
        done = subprocess.run(
            [python, "-I", "-c", PROGRAM, str(file)], capture_output=True, text=True, check=True,
            timeout=SECONDS,
        )  # fmt: skip
    return json.loads(done.stdout)


def recorded() -> Any:
    return json.loads(RECORDED.read_text("utf-8"))


if __name__ == "__main__":
    if not judge():
        sys.exit("DECKLOG_TEST_SECURESYSTEMSLIB names no Python")
    found = {"envelopes": digest(), **asked(judge())}
    if "--write" in sys.argv:
        RECORDED.write_text(json.dumps(found, indent=1) + "\n", "utf-8")
    print(json.dumps(found, indent=1))
