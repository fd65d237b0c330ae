"""A judge reads the log's papers in a file: whose log, who saw it, since when."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from pathlib import Path

import pytest

from service import container
from service.evidence import bundle
from service.evidence.casefile import unpack
from service.evidence.digest import rules_archive
from service.evidence.verdict import CANNOT_JUDGE, REFUTED, UNREADABLE, UPHELD, Verdict
from service.evidence.verify import verify
from service.log import tiles, tree
from service.log.checkpoint import read_checkpoint
from service.log.games import leaves_of
from service.log.judging import Judge
from service.log.note import Signer, with_signatures
from service.log.policy import Policy, read_policy
from service.log.proof import GrownProof, LoggedProof, Tree, encoded
from service.log.tiles import Fetch
from service.publishing.folder import LogFolder
from tests.service.evidence.playing import GAMES, finished
from tests.service.evidence.test_forger import forged
from tests.service.log.logs import AT, LOG, leaf, played, write_log
from tests.service.log.test_notes import WITNESSES
from tests.support import pennant
from tests.support.second import CONSISTENT, opinions
from tests.support.service_keys import service_keys

HONEST = finished(8, 1, master=b"\x77" * 32).export()
OWN = [each.data for each in leaves_of(HONEST)]
LEAVES = [*played(5), *OWN, *played(20)[5:]]
NUMBER = 5 + len(OWN) - 1
"""Of the leaf of the game's last event."""
LOG_HEAD_OF = "head of the log example.org/log"


def policy(log: Signer = LOG, quorum: str = "two") -> Policy:
    lines = [f"witness w{i} {each.public}" for i, each in enumerate(WITNESSES, 1)]
    return read_policy(
        "\n".join([f"log {log.public}", *lines, "group two 2 w1 w2 w3", f"quorum {quorum}"])
    )


def head(folder: Path, leaves: Sequence[bytes], signers: Sequence[int], log: Signer = LOG) -> str:
    """Of a log in the folder, cosigned one after the other, ten seconds apart."""
    note, _ = read_checkpoint(write_log(folder, leaves, log))
    lines = [WITNESSES[at].cosign(note.text, AT + 10 * place) for place, at in enumerate(signers)]
    return str(with_signatures(note, lines))


def papers(folder: Path, checkpoint: str, data: bytes = HONEST, number: int = NUMBER) -> bytes:
    """The file, with the proof of the leaf of that number."""
    size = read_checkpoint(checkpoint)[1].size
    hashes = tree.inclusion(number, size, tiles.nodes_from(LogFolder(folder).fetch, size))
    return bundle.with_log(data, checkpoint, str(LoggedProof(number, tuple(hashes), checkpoint)))


@pytest.fixture
def logged(tmp_path: Path) -> bytes:
    return papers(tmp_path, head(tmp_path, LEAVES, [0, 2]))


def judged(
    data: bytes, asked: Policy | None = None, known: Sequence[tuple[str, str]] = (),
    fetch: Fetch | None = None,
) -> Verdict:  # fmt: skip
    return verify(data, GAMES, log=Judge(asked, known, fetch))


def refuted(told: Verdict, what: str, *words: str) -> None:
    assert told.code == REFUTED
    assert told.finding is not None
    assert (told.finding.check, told.finding.what) == ("log", what)
    for word in words:
        assert word in f"{told.finding.expected} / {told.finding.found}"


def test_two_of_three_witnesses_show_the_origin_and_since_when(logged: bytes) -> None:
    told = judged(logged, policy())
    assert told.code == UPHELD
    by = {each.what: each.by for each in told.vouched}
    log = f"the log example.org/log, of {len(LEAVES)} leaves"
    assert (
        told.origin
        == by["origin"]
        == (f"shown up to event {len(OWN)}: it is in {log}, cosigned by w1.example, w3.example")
    )
    assert told.text().splitlines()[0] == f"UPHELD, origin {told.origin}"
    assert by["time"] == "the witnesses, that all of it was there at 2026-09-21T14:13:30Z"
    check = next(each for each in told.checks if each.check == "log")
    assert check.text == f"event {len(OWN)}, and with it all before it, is in {log}"


def test_without_a_policy_the_papers_are_checked_and_nobody_vouches_for_them(logged: bytes) -> None:
    told = judged(logged)
    assert told.code == UPHELD
    assert told.origin.startswith("not proven")
    assert any(note.startswith("Nobody vouches for the log example.org") for note in told.notes)
    unread = verify(logged, GAMES)
    assert any("which is not judged here" in note for note in unread.notes)
    assert judged(HONEST).notes == verify(HONEST, GAMES).notes


def test_a_policy_wants_papers_of_its_log_and_its_witnesses(tmp_path: Path, logged: bytes) -> None:
    refuted(judged(HONEST, policy()), "proof", "none")
    one = papers(tmp_path, head(tmp_path, LEAVES, [1]))
    refuted(judged(one, policy()), "cosignatures", "2 of 3", "by w2.example")
    nobody = papers(tmp_path, head(tmp_path, LEAVES, []))
    refuted(judged(nobody, policy()), "cosignatures", "by nobody")
    assert judged(nobody, policy(quorum="none")).origin.endswith("no witness had to cosign")
    other = Signer(LOG.public.name, bytes(32))
    refuted(judged(logged, policy(other)), "proof", "no log of the policy has signed")


def test_the_whole_cloth_forger_comes_too_late(tmp_path: Path, logged: bytes) -> None:
    """His game has the true one's number and nonce: the log has another event in its place."""
    false = forged(HONEST)
    assert verify(false, GAMES).code == UPHELD
    checkpoint = head(tmp_path, LEAVES, [0, 2])
    for number in (NUMBER, 5, 0):
        with_papers = papers(tmp_path, checkpoint, false, number)
        refuted(judged(with_papers, policy()), "proof", "leads to another root")
        refuted(judged(with_papers), "proof", "leads to another root")
    refuted(judged(false, policy()), "proof", "none")


def test_no_change_of_the_papers_is_taken(logged: bytes) -> None:
    files = container.unpack(logged)
    head_, proof = files[bundle.LOG_HEAD].decode(), files[bundle.LOG_PROOFS].decode()
    lines = proof.split("\n")
    swapped = "\n".join([*lines[:2], lines[3], lines[2], *lines[4:]])
    for checkpoint, text in (
        (head_, proof.replace(f"index {NUMBER}", f"index {NUMBER - 1}")),
        (head_, swapped),
        (head_, "\n".join([*lines[:2], *lines[3:]])),
        (head_, ""),
        (head_[:-1], proof),
        ("", proof),
        (head_.replace(str(len(LEAVES)), str(len(LEAVES) - 1), 1),) * 2,
    ):
        refuted(judged(bundle.with_log(HONEST, checkpoint, text), policy()), "proof")
    assert bundle.with_log(HONEST, head_, proof) == logged
    manifest, _ = unpack(HONEST)
    for name in bundle.LOG_FILES:
        half = {each: data for each, data in files.items() if each not in (name, bundle.MANIFEST)}
        data = bundle.pack(half, manifest.game, manifest.head, manifest.rules, manifest.viewer)
        told = judged(data)
        assert (told.code, "papers of a public log" in told.reason) == (UNREADABLE, True)


def test_a_head_that_was_kept_has_to_be_of_the_same_log(tmp_path: Path, logged: bytes) -> None:
    fetch = LogFolder(tmp_path).fetch
    same = head(tmp_path / "same", LEAVES, [])
    earlier = head(tmp_path / "earlier", LEAVES[:4], [])
    fork = head(tmp_path / "fork", [*LEAVES[:-1], leaf(9, 1)], [])
    old_fork = head(tmp_path / "old", [*LEAVES[:3], leaf(9, 1)], [])
    told = judged(logged, policy(), [("same", same)])
    assert told.code == UPHELD
    assert any("which goes on from same" in each.text for each in told.checks)
    assert judged(logged, policy(), [("a", same), ("b", earlier)], fetch).code == UPHELD
    unknown = judged(logged, policy(), [("b", earlier)])
    assert unknown.code == CANNOT_JUDGE
    assert "--log ADDRESS" in unknown.reason
    for known in (fork, old_fork):
        refuted(
            judged(logged, None, [("mine", known)], fetch),
            "head of the log example.org/log", "goes on from mine", "a second past",
        )  # fmt: skip
    refuted(judged(HONEST, None, [("mine", same)]), "proof", "none")
    stranger = head(tmp_path / "stranger", LEAVES, [], Signer("x.example", bytes(32)))
    assert judged(logged, None, [("x", stranger)]).code == CANNOT_JUDGE
    assert judged(logged, None, [("x", "nothing")]).code == CANNOT_JUDGE


def grown(folder: Path, old: int, new: int) -> GrownProof:
    nodes = tiles.nodes_from(LogFolder(folder).fetch, new)
    first, second = (Tree(size, tree.root(size, nodes)) for size in (old, new))
    return GrownProof(first, second, tuple(tree.consistency(old, new, nodes)))


def carrying(data: bytes, consistency: str) -> bytes:
    """The file, with a proof of consistency in it."""
    files = container.unpack(data)
    head_, proof = files[bundle.LOG_HEAD].decode(), files[bundle.LOG_PROOFS].decode()
    return bundle.with_log(HONEST, head_, proof, consistency)


@pytest.mark.parametrize("size", [1, 4, 13, len(LEAVES) - 1])
def test_the_file_itself_may_show_that_its_log_goes_on_from_a_head(
    size: int, tmp_path: Path, logged: bytes
) -> None:
    """Nothing is asked of anybody; and a fork is refuted all the same."""
    data = carrying(logged, str(grown(tmp_path, size, len(LEAVES))))
    earlier = head(tmp_path / "earlier", LEAVES[:size], [])
    fork = head(tmp_path / "fork", [*LEAVES[: size - 1], leaf(9, 1)], [])
    assert judged(logged, policy(), [("kept", earlier)]).code == CANNOT_JUDGE
    assert judged(data, policy(), [("kept", earlier)]).code == UPHELD
    refuted(judged(data, policy(), [("mine", fork)]), LOG_HEAD_OF, "a second past")
    other = head(tmp_path / "other", LEAVES[: size + 1], [])
    if size + 1 < len(LEAVES):
        assert judged(data, policy(), [("kept", other)]).code == CANNOT_JUDGE


def test_the_file_may_show_that_a_head_goes_on_from_its_own(tmp_path: Path) -> None:
    data = papers(tmp_path, head(tmp_path, LEAVES, [0, 2]))
    after = [*LEAVES, *(leaf(9, seq) for seq in range(1, 4))]
    later = head(tmp_path, after, [])
    data = carrying(data, str(grown(tmp_path, len(LEAVES), len(after))))
    assert judged(data, policy(), [("kept", later)]).code == UPHELD
    fork = head(tmp_path / "fork", [*after[:-1], leaf(8, 1)], [])
    refuted(judged(data, None, [("mine", fork)]), LOG_HEAD_OF, "a second past")


def test_no_changed_proof_of_consistency_is_taken(tmp_path: Path, logged: bytes) -> None:
    proof = grown(tmp_path, 13, len(LEAVES))
    text, lines = str(proof), str(proof).splitlines(keepends=True)
    elsewhere = write_elsewhere(tmp_path / "elsewhere")
    changed = [
        text.replace("old 13", "old 12"), text.replace("old 13", "old 013"), text[:-1], text + "\n",
        "".join([*lines[:-1]]), "".join([lines[0], lines[2], lines[1], *lines[3:]]), "x" + text,
        text.replace(encoded(proof.old.root), encoded(bytes(32))), "".join(lines[1:]), elsewhere,
        "".join([*lines[:3], *reversed(lines[3:])]), text.replace("\n", "\r\n"), "\xe4" + text,
        shorter(tmp_path / "shorter"), str(GrownProof(proof.new, proof.new, ())), lines[0],
    ]  # fmt: skip
    for each in changed:
        refuted(judged(carrying(logged, each)), "consistency", "of one log with another one")
    assert judged(carrying(logged, text)).code == UPHELD


def write_elsewhere(folder: Path) -> str:
    """A true proof about another log."""
    leaves = [leaf(7, seq) for seq in range(1, len(LEAVES) + 1)]
    write_log(folder, leaves)
    return str(grown(folder, 13, len(LEAVES)))


def shorter(folder: Path) -> str:
    """A true proof of this log that does not reach the file's head."""
    write_log(folder, LEAVES[:13])
    return str(grown(folder, 4, 13))


def test_a_proof_of_consistency_stands_with_the_other_papers_or_not_at_all(
    tmp_path: Path, logged: bytes
) -> None:
    whole = carrying(logged, str(grown(tmp_path, 13, len(LEAVES))))
    manifest, files = unpack(whole)
    for name in bundle.LOG_FILES:
        told = judged(without(whole, name))
        assert (told.code, "papers of a public log" in told.reason) == (UNREADABLE, True)
    alone = dict(unpack(HONEST)[1])
    alone[bundle.LOG_CONSISTENCY] = files[bundle.LOG_CONSISTENCY]
    data = bundle.pack(alone, manifest.game, manifest.head, manifest.rules, manifest.viewer)
    told = judged(data)
    assert (told.code, "papers of a public log" in told.reason) == (UNREADABLE, True)
    opinion = opinions([whole, data], tmp_path)
    assert [each["word"] for each in opinion] == [CONSISTENT, "UNREADABLE"]


def test_a_log_that_grew_on_from_what_was_kept_after_the_file(tmp_path: Path) -> None:
    """The head that was kept may be the newer one."""
    data = papers(tmp_path, head(tmp_path, LEAVES, [0, 1]))
    later = head(tmp_path, [*LEAVES, leaf(9, 1)], [])
    fetch = LogFolder(tmp_path).fetch
    assert judged(data, policy(), [("later", later)], fetch).code == UPHELD


def test_the_second_opinion_opens_every_such_file(tmp_path: Path, logged: bytes) -> None:
    """Signed or not, with an engine or without; one that lacks a part is refused by both judges."""
    keys = service_keys(tmp_path)
    engine = rules_archive(pennant.GAME)
    sign = partial(bundle.signed, key=keys.key("bundles"), keys=keys.listed)
    whole = [HONEST, logged, sign(HONEST), sign(logged)]
    whole += [bundle.with_engines(data, [engine]) for data in (HONEST, logged, sign(logged))]
    broken = [without(data, name) for data in (logged, sign(logged)) for name in bundle.LOG_FILES]
    told = opinions([*whole, *broken], tmp_path)
    assert [each["word"] for each in told] == [CONSISTENT] * len(whole) + ["UNREADABLE"] * 4
    codes = [verify(data, GAMES).code for data in (*whole, *broken)]
    assert codes == [UPHELD] * len(whole) + [UNREADABLE] * 4


def without(data: bytes, name: str) -> bytes:
    """The bundle, its manifest too, without a file."""
    manifest, files = unpack(data)
    left = {each: files[each] for each in files if each not in (name, bundle.SIGNATURE)}
    return bundle.pack(left, manifest.game, manifest.head, manifest.rules, manifest.viewer)


def test_a_time_that_no_calendar_has_is_none(tmp_path: Path) -> None:
    """A witness that lies in it does not keep anybody from a verdict."""
    note, _ = read_checkpoint(write_log(tmp_path, LEAVES))
    late = str(with_signatures(note, [WITNESSES[0].cosign(note.text, 2**63)]))
    refuted(judged(papers(tmp_path, late), policy(quorum="w1")), "proof", "of no time")
