"""The reference of DSSE reads our envelopes: it was asked, and is again where it is."""

from __future__ import annotations

from service.evidence.signing import SigningKey
from tests.spec import judge_dsse
from tests.spec.whole import BUNDLES, ORGANISER, RECEIPTS, ROOT_KEY, WITNESS


def by(*keys: SigningKey, whole: bool = False) -> str:
    names = (str(key.verify_key) if whole else key.verify_key.hint for key in keys)
    return f"holds, by {', '.join(sorted(names))}"


def test_each_kind_of_envelope_holds_and_no_other() -> None:
    kept = judge_dsse.recorded()
    assert kept["envelopes"] == judge_dsse.digest(), "ask it again: the envelopes are others"
    told = judge_dsse.asked(judge_dsse.judge()) if judge_dsse.judge() else kept
    assert told["answers"] == {
        "list of keys": by(ROOT_KEY),
        "manifest": by(BUNDLES),
        "receipt": by(RECEIPTS),
        "another receipt": by(RECEIPTS),
        "cosignatures, both": by(ORGANISER, WITNESS, whole=True),
        "manifest, by another key": "refused",
        "receipt, as another kind": "refused",
        "receipt, the payload of another": "refused",
    }
