"""A client keeps the newest head of each game, and a record that is another becomes a file."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest
from litestar.testing import TestClient

from service.app import create_app
from service.bots import DecklogClient, Head, Heads, OtherRecord
from service.bots.heads import game_of, read_field
from service.cli import main
from service.evidence import equivocation
from service.evidence.receipts import read
from service.settings import Settings
from tests.service.evidence.playing import GAME_ID, finished
from tests.support.pennant import GAME
from tests.support.service_keys import service_keys

ID = GAME_ID.hex()
ONE, TWO = "1" * 64, "2" * 64


@pytest.fixture
def http(tmp_path: Path) -> Iterator[TestClient[Any]]:
    settings = Settings(
        database=tmp_path / "decklog.sqlite", rate_limit=0, chain_length=256, log_level="WARNING"
    )
    with TestClient(create_app(settings, {"pennant": GAME})) as made:
        yield made


def at(http: httpx.Client, folder: Path, token: str = "") -> DecklogClient:
    return DecklogClient(str(http.base_url), token, http=http, heads=Heads(folder))


def test_a_client_keeps_the_newest_head_and_confirms_it_when_it_is_back(
    http: TestClient[Any], tmp_path: Path
) -> None:
    client = at(http, tmp_path)
    made = client.create_game(ruleset="pennant")
    game = made["game"]["id"]
    assert client.heads.newest(game) == (made["game"]["version"], made["game"]["head"])
    done = client.as_holder(made["tokens"][0]["token"]).post(
        game, {"type": "pennant.choose", "colour": "bold"}, made["game"]["version"]
    )
    later = at(http, tmp_path)
    assert later.heads.newest(game) == (done["version"], done["head"])
    events = list(later.events(game))
    assert later.heads.newest(game) == (events[-1]["seq"], events[-1]["hash"])


@pytest.mark.parametrize("kept", [Head(2, ONE), Head(99, ONE)], ids=["another", "gone"])
def test_a_record_that_is_another_becomes_a_file(
    http: TestClient[Any], tmp_path: Path, kept: Head
) -> None:
    client = at(http, tmp_path)
    game = client.create_game(ruleset="pennant")["game"]["id"]
    (tmp_path / f"{game}.head").write_text(f"{kept.seq} {kept.hash}\n")
    back = at(http, tmp_path)
    with pytest.raises(OtherRecord, match=f"Event {kept.seq} of game {game} was {ONE}") as caught:
        list(back.events(game))
    assert caught.value.file is not None
    told = json.loads(caught.value.file.read_bytes())
    assert told["heads"][0] == kept._asdict()
    assert (len(told["heads"]) == 2) == (kept.seq == 2)


def test_an_answer_that_names_another_head_is_noticed_at_once(tmp_path: Path) -> None:
    heads = Heads(tmp_path)
    heads.note(ID, Head(7, ONE))
    heads.note(ID, Head(5, TWO))
    heads.note("", Head(7, TWO))
    assert heads.newest(ID) == (7, ONE)
    with pytest.raises(OtherRecord):
        heads.note(ID, Head(7, TWO))


def test_what_is_no_head_is_none() -> None:
    assert read_field(f'12;hash="{ONE}"') == (12, ONE)
    assert read_field("12") is None
    assert game_of(f"/v1/games/{ID}/events") == ID
    assert game_of("/v1/games") == game_of(f"/v1/games/{ID}f") == ""


def written(folder: Path, name: str, data: bytes) -> str:
    (folder / name).write_bytes(data)
    return str(folder / name)


def test_two_files_that_tell_one_game_in_two_ways_are_an_equivocation(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    one = written(tmp_path, "one", finished(8, 1).export())
    other = written(tmp_path, "other", finished(8, 2).export())
    assert main(["equivocation", one, one]) == 0
    assert capsys.readouterr().out.startswith("NO CONTRADICTION in the ")
    assert main(["equivocation", one, other]) == 1
    out = capsys.readouterr().out
    first, second = (equivocation.read(Path(each).read_bytes()).hashes for each in (one, other))
    seq = next(seq for seq in first if first[seq] != second[seq])
    assert out.startswith(f"EQUIVOCATION at event {seq} of game {ID}\n")
    for each in (*first[seq], *second[seq]):
        assert f"told     {each}\n" in out


def test_what_a_client_wrote_down_stands_against_the_evidence(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    evidence = written(tmp_path, "evidence", finished(8, 1).export())
    told = {"format": "decklog-heads", "v": 1, "game": ID, "heads": [{"seq": 3, "hash": ONE}]}
    heads = written(tmp_path, "heads", json.dumps(told).encode())
    assert main(["equivocation", heads, evidence, "--json"]) == 1
    assert json.loads(capsys.readouterr().out)["equivocation"]["seq"] == 3


def test_files_that_cannot_be_compared_are_a_mistake(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    evidence = written(tmp_path, "evidence", finished(8, 1).export())
    other = {"format": "decklog-heads", "v": 1, "game": "f" * 32, "heads": []}
    for number, data in enumerate(
        (
            b"",
            b"{}",
            b"PK\3\4",
            json.dumps(other).encode(),
            json.dumps({**other, "format": "x"}).encode(),
        )
    ):
        assert main(["equivocation", evidence, written(tmp_path, str(number), data)]) == 2
        assert "cannot be compared" in capsys.readouterr().err


def test_receipts_are_kept_beside_the_heads(tmp_path: Path) -> None:
    keys = service_keys(tmp_path / "service")
    settings = Settings(
        database=tmp_path / "decklog.sqlite", chain_length=64, log_level="WARNING",
        keys=str(keys.folder),
    )  # fmt: skip
    with TestClient(create_app(settings, {"pennant": GAME})) as http:
        client = at(http, tmp_path / "kept")
        made = client.create_game(ruleset="pennant")
        game, seat = made["game"]["id"], client.as_holder(made["tokens"][0]["token"])
        command = {"type": "pennant.choose", "colour": "bold"}
        done = seat.post(game, command, made["game"]["version"])
    given = read((tmp_path / "kept" / f"{game}-{done['version']}.receipt").read_bytes())
    assert (given.receipt.game, given.receipt.head) == (game, done["head"])
    assert given.envelope.is_signed_by(keys.key("receipts").verify_key)
