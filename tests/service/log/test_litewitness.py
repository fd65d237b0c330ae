"""A foreign witness and ours answer alike; its cosignatures hold for us.

It is no part of any environment of ours: what it answered is on record (judge_litewitness.py).
"""

from __future__ import annotations

import json
from contextlib import closing
from pathlib import Path

import pytest

from service.log.note import holding, read_key, read_note, read_signatures, with_signatures
from tests.service.log.judge_litewitness import RECORDED, requests
from tests.service.log.logs import LOG, Place

TOLD = json.loads(RECORDED.read_text("utf-8"))


STRICTER = {"another of the same size": (409, 422)}
"""Where ours follows the specification's newer text, which the foreign one is older than."""

HELD = [each for each in TOLD["answers"] if each["status"] == 200]


def test_ours_answers_as_the_foreign_one(tmp_path: Path) -> None:
    place = Place(tmp_path / "w", tmp_path / "logs")
    asked = requests(tmp_path / "logs")
    with closing(place.ledger):
        for at, ((name, checkpoint, body), told) in enumerate(
            zip(asked, TOLD["answers"], strict=True)
        ):
            place.files.address = str(tmp_path / "logs" / str(at))
            reply = place.witness.add_checkpoint(body)
            assert (told["asked"], told["checkpoint"]) == (name, checkpoint)
            expected = STRICTER.get(name, (told["status"], told["status"]))
            assert (reply.status, told["status"]) == expected
            if told["status"] == 409:
                assert reply.body == told["answer"]


@pytest.mark.parametrize(
    "told",
    [each for each in TOLD["answers"] if each["status"] == 200],
    ids=lambda told: told["asked"],
)
def test_its_cosignatures_hold(told: dict[str, str]) -> None:
    note = with_signatures(read_note(told["checkpoint"]), read_signatures(told["answer"]))
    key = read_key(TOLD["vkey"])
    assert [each.key for each in holding(note, [LOG.public, key])] == [LOG.public, key]
