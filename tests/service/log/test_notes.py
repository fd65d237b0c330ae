"""Notes, checkpoints, proofs and policies as text; byte for byte, refused where touched."""

from __future__ import annotations

import json
import random

import pytest

from service.log import note, proof, tiles, tree
from service.log.checkpoint import Checkpoint, open_checkpoint, read_text
from service.log.leaf import Leaf
from service.log.note import COSIGNATURE, NoteWrong, Signer, read_key, read_note
from service.log.policy import PolicyWrong, read_policy
from tests.service.log import vectors

TOLD = json.loads(vectors.FILE.read_text("utf-8"))
LOG = Signer("example.org/nwg/log", bytes.fromhex(TOLD["note"]["seed"]))
WITNESSES = [Signer(f"w{i}.example", bytes([i]) * 32, COSIGNATURE) for i in range(1, 4)]


def test_the_vector_of_the_chain_and_the_log_byte_for_byte() -> None:
    grown = tree.Frontier(
        tree.leaf_hash(Leaf(row["tag"], row["seq"], row["hash"]).data) for row in TOLD["leaf"]
    )
    text = Checkpoint("example.org/nwg/log", 2, grown.root()).text
    signed = note.Note(text, (LOG.sign(text),))
    assert str(signed) == TOLD["note"]["checkpoint"] == EVIDENCE
    assert str(LOG.public) == TOLD["note"]["vkey"] == VKEY
    assert open_checkpoint(EVIDENCE, read_key(VKEY))[1] == read_text(text)


VKEY = "example.org/nwg/log+e4a1b10e+AUjloR5Oo+0oa1L9e/dYFxhR0w2wSpdnDecAnuWH/1Tc"
EVIDENCE = """example.org/nwg/log
2
SXqNi/9E2k23pILrGmzKujvDpyUIuKofqqqXBnM38jg=

\u2014 example.org/nwg/log 5KGxDsgmyXoaVQuYz1p3p+q428ygHhPBgTi+2I8IWUNU6M5FqOZWMNLkO+g+zRzXENUBLm6UTS+3fYZ2EnUcetOEUQs=
"""  # noqa: E501


def test_no_change_of_a_checkpoint_goes_unseen() -> None:
    key, chance, refused = read_key(VKEY), random.Random(3), 0
    for _ in range(2_000):
        at = chance.randrange(len(EVIDENCE))
        other = chance.choice("\n +=0aZ\u2014")
        text = EVIDENCE[:at] + other + EVIDENCE[at + chance.randrange(2) :]
        if text == EVIDENCE:
            continue
        with pytest.raises(NoteWrong):
            open_checkpoint(text, key)
        refused += 1
    assert refused > 1_500


def test_lines_of_unknown_keys_say_nothing_and_harm_nothing() -> None:
    stranger = Signer("stranger.example", bytes(32))
    read = read_note(EVIDENCE)
    more = note.with_signatures(read, [stranger.sign("something else\n")])
    assert open_checkpoint(str(more), LOG.public)[1].size == 2
    with pytest.raises(NoteWrong, match="not signed by"):
        open_checkpoint(str(note.Note(read.text, more.signatures[1:])), LOG.public)


def test_a_cosignature_says_when() -> None:
    text = read_note(EVIDENCE).text
    signed = note.Note(text, (LOG.sign(text), WITNESSES[0].cosign(text, 1_679_315_147)))
    (found,) = note.holding(signed, [WITNESSES[0].public, WITNESSES[1].public])
    assert (found.key, found.at) == (WITNESSES[0].public, 1_679_315_147)
    line = WITNESSES[0].cosign(text, 1_679_315_147)
    other = (1_679_315_146).to_bytes(8, "big") + line.signature[8:]
    earlier = note.NoteSignature(line.name, line.id, other)
    with pytest.raises(NoteWrong, match="does not hold"):
        note.holding(note.Note(text, (earlier,)), [WITNESSES[0].public])


def test_a_key_of_one_kind_is_none_of_the_other() -> None:
    as_log = Signer("w1.example", bytes([1]) * 32)
    text = read_note(EVIDENCE).text
    signed = note.Note(text, (as_log.sign(text),))
    assert note.holding(signed, [WITNESSES[0].public]) == []


@pytest.mark.parametrize(
    "vkey",
    [
        "", "name", VKEY[:-1], VKEY.replace("e4a1", "e4a2"), VKEY.replace("org", "com"),
        "a b" + VKEY, VKEY + "=", "+" + VKEY,
    ],
)  # fmt: skip
def test_what_is_no_key_is_refused(vkey: str) -> None:
    with pytest.raises(NoteWrong):
        read_key(vkey)


@pytest.mark.parametrize(
    "text",
    [
        "", "\n\n", "a\n", "a\n\n", "a\n\n\u2014 n AAAA\n", "a\n\n\u2014 n " + "A" * 8,
        "a\t\n\n\u2014 n AAAAAAAA\n", "a\n\n" + "\u2014 n AAAAAAAA\n" * 101,
    ],
)  # fmt: skip
def test_what_is_no_note_is_refused(text: str) -> None:
    with pytest.raises(NoteWrong):
        read_note(text)


@pytest.mark.parametrize(
    "text", ["a\n", "a\n1\n", "a\n01\nAA==\n", "a\n1\nAA==\n", "\n1\n" + "A" * 43 + "=\n"]
)
def test_what_is_no_checkpoint_is_refused(text: str) -> None:
    with pytest.raises(NoteWrong):
        read_text(text)


def test_a_proof_reads_as_it_was_written() -> None:
    leaves = [tree.leaf_hash(b"%d" % i) for i in range(5)]
    read = proof.LoggedProof(3, tuple(tree.inclusion(3, 5, over(leaves))), EVIDENCE)
    assert proof.read_proof(str(read)) == read
    read.check(b"3", 5, tree.Frontier(leaves).root())
    with pytest.raises(tree.ProofWrong):
        read.check(b"4", 5, tree.Frontier(leaves).root())
    with_extra = str(read).replace("index", "extra AAAA\nindex", 1)
    assert proof.read_proof(with_extra) == read
    for wrong in ("", "x" + str(read), str(read).replace("index 3", "index 03")):
        with pytest.raises(NoteWrong):
            proof.read_proof(wrong)


def over(leaves: list[bytes]) -> tree.Nodes:
    return lambda level, index: tiles.joined(leaves[index << level : (index + 1) << level])


def test_paths_of_tiles() -> None:
    assert tiles.Tile(0, 1_234_067).path == "tile/0/x001/x234/067"
    assert tiles.Tile(1, 0, 3).path == "tile/1/000.p/3"
    assert tiles.Tile(tiles.ENTRIES, 1_000).path == "tile/entries/x001/000"
    for tile in (tiles.Tile(0, 1_234_067, 4), tiles.Tile(tiles.ENTRIES, 7), tiles.Tile(62, 0, 1)):
        assert tiles.read_path(tile.path) == tile
    for wrong in (
        "tile/0/0", "tile/00/000", "tile/0/x000/001", "tile/0/000.p/256", "tile/0/000.p/0",
        "tile/0/../000", "/tile/0/000", "tile/-1/000", "checkpoint", "tile/0/1000",
    ):  # fmt: skip
        assert tiles.read_path(wrong) is None, wrong


@pytest.mark.parametrize("size", [1, 2, 255, 256, 257, 700, 66_000])
def test_a_tree_out_of_its_tiles(size: int) -> None:
    """Each growth writes what it has to, and nothing else is asked for."""
    leaves = [tree.leaf_hash(b"%d" % i) for i in range(size)]
    files: dict[str, bytes] = {}
    for old, new in ((0, size // 3), (size // 3, size)):
        for tile in tiles.tiles_of(old, new):
            first, span = tile.number << 8, 1 << (8 * tile.level)
            files[tile.path] = b"".join(
                tiles.joined(leaves[at * span : (at + 1) * span])
                for at in range(first, first + tile.width)
            )
    nodes = tiles.nodes_from(files.__getitem__, size)
    assert tree.root(size, nodes) == tree.Frontier(leaves).root()
    index = size * 2 // 3
    found = tree.inclusion(index, size, nodes)
    tree.check_inclusion(leaves[index], index, size, found, tree.Frontier(leaves).root())


def test_a_tile_of_leaves() -> None:
    tile = tiles.Tile(tiles.ENTRIES, 0, 3)
    data = tiles.bundle([b"", b"a", b"b" * 300])
    assert tiles.unbundled(tile, data) == [b"", b"a", b"b" * 300]
    for wrong in (data[:-1], data + b"\x00", data + b"\x00\x00", b""):
        with pytest.raises(tiles.TileWrong):
            tiles.unbundled(tile, wrong)
    with pytest.raises(tiles.TileWrong):
        tiles.hashes(tiles.Tile(0, 0, 3), bytes(95))


def written(quorum: str = "quorum two") -> str:
    lines = [f"witness w{i} {each.public}" for i, each in enumerate(WITNESSES, 1)]
    return "\n".join([f"log {VKEY} https://x/log", "# who", *lines, "group two 2 w1 w2 w3", quorum])


def test_two_of_three() -> None:
    found = read_policy(written())
    keys = [each.public for each in WITNESSES]
    assert [found.met(keys[:n]) for n in range(4)] == [False, False, True, True]
    assert found.met([keys[0], keys[0], LOG.public]) is False
    assert found.told() == "2 of 3 have to have cosigned"
    assert read_policy(written("quorum none")).met([])
    assert read_policy(written("quorum w2")).met(keys[1:2])
    nested = read_policy(written("group one any two\nquorum one"))
    assert (nested.met(keys[:1]), nested.met(keys[1:])) == (False, True)


def test_a_checkpoint_of_the_policy() -> None:
    text = read_note(EVIDENCE).text
    signed = note.Note(text, (LOG.sign(text), WITNESSES[2].cosign(text, 5)))
    _, checkpoint, cosigned = read_policy(written()).open(str(signed))
    assert (checkpoint.size, [each.key for each in cosigned]) == (2, [WITNESSES[2].public])
    other = Signer("other.example", bytes(32))
    text = Checkpoint("other.example", 0, tree.EMPTY).text
    with pytest.raises(NoteWrong, match="no log of the policy"):
        read_policy(written()).open(str(note.Note(text, (other.sign(text),))))


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("", "no quorum"),
        (written("quorum four"), "line 7 names four"),
        (written("quorum two\nquorum two"), "line 8 is none of"),
        (written("group three 4 w1 w2 w3\nquorum two"), "line 7 counts w1"),
        (written("group two 1 w1\nquorum two"), "line 7 names two again"),
        (written().replace("two 2", "two 4"), "line 6 asks for 4 of 3"),
        (written().replace("two 2", "two x"), "line 6 asks for x of 3"),
        (f"log {VKEY}\nlog {VKEY}\nquorum none", "line 2 has a key that is there"),
        (f"witness a {VKEY}\nquorum a", "line 1 has a key of another kind"),
        ("log x\nquorum none", "line 1 has no key: a key is"),
        ("group two 2\nquorum two", "line 1 is none of"),
        (written(f"group many {'9' * 5_000} two\nquorum many"), "line 7 asks for"),
    ],
)
def test_what_is_no_policy_is_refused_with_its_line(text: str, why: str) -> None:
    with pytest.raises(PolicyWrong, match=why):
        read_policy(text)
