"""The verdict says how old that is on which the judge relies."""

from __future__ import annotations

import msgspec
import pytest
from msgspec import UNSET

from service.engines import carry
from service.evidence import bundle
from service.evidence.ages import ages
from service.evidence.keylist import KeyList, ListedKey, sign_list
from service.evidence.signing import SigningKey
from service.evidence.verdict import UPHELD, Age, Verdict
from service.evidence.verify import verify

from .playing import GAMES, Table

ROOT_KEY = SigningKey("decklog.example/root", b"r" * 32)
ROOT, BUNDLES_KEY = ROOT_KEY.verify_key, SigningKey("decklog.example/bundles", b"b" * 32)
RECEIPTS, BUNDLES = (
    str(SigningKey(f"decklog.example/{role}", seed * 32).verify_key)
    for role, seed in (("receipts", b"c"), ("bundles", b"b"))
)
OLD, SIGNED, NOW = (f"{day}T12:00:00.000Z" for day in ("2026-01-01", "2026-03-01", "2026-03-03"))
ENGINES = (
    carry.Carried("pennant", "1", "aaaa", "", "", "2026-02-01"),
    carry.Carried("pennant", "2", "bbbb", "", "", "2026-03-02"),
)


def listed(**compromised: str) -> KeyList:
    keys = (
        ListedKey("receipts", RECEIPTS, OLD, "", **compromised),
        ListedKey("bundles", BUNDLES, SIGNED),
    )
    return KeyList(1, "decklog.example", str(ROOT), 7, SIGNED, keys)


def days(found: tuple[Age, ...]) -> dict[str, object]:
    return {each.what: each.days for each in found}


def said(*found: Age) -> str:
    return Verdict(code=UPHELD, word="UPHELD", ages=found).text()


def test_root_revocations_and_engines_are_told_in_days() -> None:
    found = ages(listed(compromised=OLD), ROOT, ENGINES, NOW)
    assert days(found) == {"root": 61, "revocations": 2, "engines": 1}
    told = said(*found)
    assert f"age      root: {ROOT.hint} has vouched for keys since {OLD}, 61 days ago" in told
    assert f"revocations: 1 keys are taken back by list 7 of {SIGNED}, 2 days ago" in told
    assert "engines: the installed rules and 2 of the past, the newest of 2026-03-02, 1 day" in told
    assert "no key is taken back by list 7" in said(*ages(listed(), ROOT, ENGINES, NOW))


def test_of_a_list_that_no_named_root_has_signed_nothing_is_told() -> None:
    assert [each.what for each in ages(listed(), None, ENGINES, NOW)] == ["engines"]
    assert [each.what for each in ages(None, ROOT, ENGINES, NOW)] == ["engines"]


@pytest.mark.parametrize(
    ("now", "end"),
    [("", "2026-03-02"), ("2026-03-02T23:59:59.999Z", "today"),
     ("2026-03-01T00:00:00.000Z", "1 day ahead of this judge's clock")],
)  # fmt: skip
def test_without_a_clock_dates_alone_and_one_that_is_behind_is_named(now: str, end: str) -> None:
    told = said(*ages(None, None, ENGINES, now))
    assert told.splitlines()[-1].endswith(end)


@pytest.mark.parametrize(
    "wrong",
    [{"at": "garbage"}, {"at": "2026-02-31T00:00:00.000Z"}, {"since": "0"}, {"until": "tomorrow"},
     {"compromised": ""}],
)  # fmt: skip
def test_a_list_with_a_time_that_is_none_is_refuted(wrong: dict[str, str]) -> None:
    """Not with a crash: whoever signs the list, a judge answers."""
    keys = KeyList(1, "decklog.example", str(ROOT), 7, wrong.get("at", SIGNED), (
        msgspec.structs.replace(
            ListedKey("bundles", BUNDLES, OLD), **{k: v for k, v in wrong.items() if k != "at"}
        ),
    ))  # fmt: skip
    files = bundle.signed(Table().play(1).export(), BUNDLES_KEY, sign_list(keys, ROOT_KEY))
    verdict = verify(files, GAMES, root=ROOT, now=NOW)
    assert verdict.word == "REFUTED", verdict.text()
    assert "no time" in verdict.text()


def test_the_verdict_has_them() -> None:
    verdict = verify(Table().play(1).export(), GAMES, now="2030-01-01T00:00:00.000Z")
    (age,) = verdict.ages
    assert age.at == max(each.day for each in carry.table())
    assert isinstance(age.days, int)
    assert age.days > 365
    assert verify(Table().play(1).export(), GAMES).ages[0].days is UNSET
