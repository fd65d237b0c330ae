"""``verify``: every verdict with its exit code, and the page that explains one event."""

from __future__ import annotations

from pathlib import Path

import msgspec
import pytest

from service import container
from service.cli import main
from service.evidence import bundle as bundles
from service.evidence import casefile
from service.evidence.signing import SigningKey
from tests.service.cli.conftest import Done, Run
from tests.support.pennant import GAME, mutant

UNPROVED = ", origin not proven: unsigned, and no --head was given"


def test_upheld(run: Run, bundle: Path) -> None:
    done = run("verify", bundle)
    assert (done.code, done.err) == (0, "")
    assert done.out.startswith(f"UPHELD{UNPROVED}\n")
    told = run("verify", bundle, "--json").json
    assert (told["code"], told["word"], told["scope"]) == (0, "UPHELD", "complete")


def test_a_game_in_play_is_partial(run: Run, live_bundle: Path) -> None:
    done = run("verify", live_bundle)
    assert (done.code, done.out.partition("\n")[0]) == (0, f"UPHELD (partial){UNPROVED}")


def altered(bundle: Path, path: Path) -> Path:
    """A forged file: one face changed in an event, and every digest that can be, made to fit."""
    manifest, files = casefile.unpack(bundle.read_bytes())
    lines = files[bundles.EVENTS].split(b"\n")
    place = next(i for i, line in enumerate(lines) if b'"faces":[[' in line)
    start = lines[place].index(b'"faces":[[') + len(b'"faces":[[')
    face = int(lines[place][start : start + 1])
    other = str(face % 6 + 1).encode()
    lines[place] = lines[place][:start] + other + lines[place][start + 1 :]
    files[bundles.EVENTS] = b"\n".join(lines)
    forged = bundles.pack(files, manifest.game, manifest.head, manifest.rules, manifest.viewer)
    path.write_bytes(forged)
    return path


def test_refuted_names_the_event_and_both_values(run: Run, bundle: Path, tmp_path: Path) -> None:
    forged = altered(bundle, tmp_path / "forged.decklog")
    done = run("verify", forged)
    assert (done.code, done.out.partition("\n")[0]) == (1, "REFUTED")
    found = run("verify", forged, "--json").json["finding"]
    assert found["seq"] > 1
    assert found["expected"] != found["found"]
    assert f"event {found['seq']}:" in done.out
    run("show", forged).assert_mistake("contradicts itself")


@pytest.mark.parametrize("keep", [0, 10, -1])
def test_a_truncated_file_is_unreadable(run: Run, bundle: Path, tmp_path: Path, keep: int) -> None:
    path = tmp_path / "cut.decklog"
    path.write_bytes(bundle.read_bytes()[:keep])
    done = run("verify", path)
    assert (done.code, done.out.partition("\n")[0]) == (2, "UNREADABLE")
    run("replay", path).assert_mistake("not a readable evidence file")


def test_a_file_that_is_not_there(run: Run, tmp_path: Path) -> None:
    run("verify", tmp_path / "none.decklog").assert_mistake("no such file")
    run("verify", tmp_path).assert_mistake("cannot be read")


def test_a_ruleset_that_is_not_installed_cannot_be_judged(
    bundle: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    code = main(["verify", str(bundle)], {})
    assert (code, capsys.readouterr().out.partition("\n")[0]) == (3, "CANNOT JUDGE")


def test_a_lower_grade_than_asked(run: Run, bundle: Path) -> None:
    done = run("verify", bundle, "--grade", "A1")
    assert (done.code, done.out.partition("\n")[0]) == (
        4,
        f"UPHELD, LOWER GRADE THAN ASKED{UNPROVED}",
    )
    assert run("verify", bundle, "--grade", "A0").code == 0
    assert run("verify", bundle, "--grade", "A2").code == 4
    assert run("verify", bundle, "--grade", "A4").code == 2, "there are no such dice"


def test_a_head_that_was_noted_in_play(run: Run, bundle: Path) -> None:
    told = run("verify", bundle, "--json").json
    assert told["origin"].startswith("not proven")
    noted = run("verify", bundle, "--head", told["head"])
    assert noted.code == 0
    assert f"origin shown up to event {told['events']}" in noted.out.partition("\n")[0]
    assert run("verify", bundle, "--head", "0" * 64).code == 1


def explained(run: Run, bundle: Path, seq: int) -> Done:
    return run("verify", bundle, "--explain", seq, "--json")


def test_explain_shows_order_odds_and_every_face(run: Run, bundle: Path) -> None:
    events = run("replay", bundle, "--json").json["events"]
    rolled = next(e for e in events if e["type"] == "pennant.fire-resolved")
    page = explained(run, bundle, rolled["seq"]).json["explanation"]
    assert page["event"]["text"] == rolled["text"]
    assert page["order"]["id"] == rolled["causedBy"]
    assert page["order"]["odds"]["hit"]["of"] > 0
    roll = page["dice"][0]
    assert page["event"]["data"]["faces"] == roll["faces"][0]
    raw = bytes.fromhex(roll["bytes"])
    kept = [byte % 6 + 1 for byte in raw if byte < 252]
    assert kept == [face for pool in roll["faces"] for face in pool]
    assert len(raw) - len(kept) == roll["rejected"]
    text = run("verify", bundle, "--explain", rolled["seq"]).out
    assert rolled["text"] in text
    assert roll["bytes"] in text


def test_explain_of_what_has_no_order_or_is_not_there(run: Run, bundle: Path) -> None:
    opening = explained(run, bundle, 1).json["explanation"]
    assert (opening["order"], opening["dice"]) == (None, [])
    beyond = explained(run, bundle, 9999)
    assert beyond.code == 0
    assert "no version 9999" in beyond.json["explanation"]["reason"]
    assert "not explained" in run("verify", bundle, "--explain", 9999).out


def test_explain_does_not_hide_a_refutation(run: Run, bundle: Path, tmp_path: Path) -> None:
    forged = altered(bundle, tmp_path / "forged.decklog")
    done = explained(run, forged, 2)
    assert (done.code, done.json["verdict"]["word"]) == (1, "REFUTED")
    assert "contradicts itself" in done.json["explanation"]["reason"]


def test_other_rules_cannot_judge(
    bundle: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """A ruleset of the same name whose files and decisions are others."""
    points = mutant(decide=lambda state, seat, command: GAME.decide(state, seat, command)[:1])
    monkeypatch.setattr("service.evidence.verify.are_installed", lambda game, used: False)
    code = main(["verify", str(bundle), "--json"], {"pennant": points})
    told = msgspec.json.decode(capsys.readouterr().out)
    assert (code, told["word"]) == (3, "CANNOT JUDGE")
    assert "differs at event" in told["reason"]


def test_a_file_with_a_foreign_container_is_unreadable(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "other.decklog"
    path.write_bytes(container.pack({"hello.txt": b"hello"}))
    assert run("verify", path).code == 2


ROOT = SigningKey("decklog.example/root", bytes(range(32))).verify_key


def test_an_unsigned_file_is_refuted_by_who_names_the_root_key(run: Run, bundle: Path) -> None:
    done = run("verify", bundle, "--root", str(ROOT))
    assert (done.code, done.out.partition("\n")[0]) == (1, "REFUTED")
    assert f"expected by a key of {ROOT.hint}\nfound    none\n" in done.out


def test_what_is_no_root_key_is_a_mistake(run: Run, bundle: Path) -> None:
    run("verify", bundle, "--root", str(ROOT)[:-1]).assert_mistake("--root")
