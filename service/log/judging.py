"""Judges the papers of a public log in an evidence file: whose log it is, who saw it, and when."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from ..evidence.bundle import LOG_CONSISTENCY, LOG_HEAD, LOG_PROOFS, TIME_PROOF, TIME_STAMP
from ..evidence.logged import LogWord, Owed
from ..evidence.verdict import Refuted, Undecidable, refute
from .border import Border, Place, Seen, broken, check_until, enough_at, seen_at, told
from .checkpoint import Checkpoint, read_checkpoint
from .leaf import Leaf, tag_of
from .note import NoteWrong, Signed
from .policy import Policy
from .proof import LoggedProof, Tree, encoded, read_grown, read_proof
from .remote import Unreachable
from .stamp import Stamped, StampUnread, StampWrong, check
from .tiles import Fetch, TileWrong, nodes_from
from .tree import ProofWrong, check_consistency, consistency

if TYPE_CHECKING:
    from cryptography.x509 import Certificate

CHECK = "log"
STAMPED_HEAD = f"the head in {TIME_PROOF}"
UNJUDGED = (
    f"A head of the log that has the game is stamped ({TIME_STAMP}), which is not judged: "
    "--tsa-root FILE names the root certificate of a time-stamping authority."
)
UNCOMPARED = (
    "The head that is stamped, of {} leaves, and the file's own, of {}, were not compared: whether "
    "one log had both, --log ADDRESS shows by its tiles{}."
)
UNSTAMPED = f"No stamp of a time-stamping authority is in the file ({TIME_STAMP})."


class Judge:
    """What the caller asks of the papers.

    policy  whose log, and whose cosignatures, they have to bear; None: any
    known   heads of the log that the caller has kept, with the names of their files: the log has to
            go on from each
    fetch   gives the tiles of the log, by which heads of other sizes are compared
    until   by when the log has to have had the game: a time, or a number of leaves
    roots   certificates of time-stamping authorities, whose word on the time counts; None: a stamp
            is not judged
    """

    def __init__(
        self, policy: Policy | None, known: Sequence[tuple[str, str]] = (),
        fetch: Fetch | None = None, until: Border = None,
        roots: Sequence[Certificate] | None = None,
    ) -> None:  # fmt: skip
        self._policy = policy
        self._known = known
        self._fetch = fetch
        self._until = until
        self._roots = roots

    def __call__(
        self, papers: Mapping[str, bytes], game: str, seq: int, hash: str, owed: Sequence[Owed] = ()
    ) -> LogWord:
        """See :class:`service.evidence.logged.LogJudge`."""
        if not papers:
            if self._policy is None and not self._known and self._until is None:
                return LogWord(note="" if self._roots is None else UNSTAMPED)
            raise refute(CHECK, 0, "proof", "that the public log has the last event", "none")
        try:
            proof = _proof(papers)
            _, head = read_checkpoint(proof.checkpoint)
            proof.check(Leaf(tag_of(game), seq, hash).data, head.size, head.root)
            signed = self._signed(proof)
        except (NoteWrong, ProofWrong) as error:
            raise refute(CHECK, seq, "proof", "that the public log has this event", error) from None
        carried = _carried(papers, head)
        for name, text in self._known:
            self._compare(head, carried, name, text)
        texts = [(LOG_HEAD, proof.checkpoint), *self._known]
        seen = [seen_at(name, text, self._policy) for name, text in texts]
        leaf = Leaf(tag_of(game), seq, hash)
        size, stamped, note = self._stamped(papers, leaf, head, carried)
        dated = list(seen)
        if stamped is not None:
            # Without a policy anybody may have written that head.
            whose = "" if self._policy else ", whose signatures were not checked,"
            dated.append(Seen(f"{STAMPED_HEAD}{whose}", size, stamped.at, "stamped"))
        word = self._word(head, seq, signed, check_until(self._until, proof.number, dated))
        if stamped is not None:
            there = f"{stamped.by}, that all of it was there at {told(stamped.at)}"
            there = f"the time-stamping authority {there}"
            word = word._replace(time="; ".join(filter(None, [word.time, there])))
        place = Place(tag_of(game), seq, proof.number, head, self._fetch)
        notes = " ".join(filter(None, [word.note, note]))
        return word._replace(note=notes, broken=tuple(broken(place, owed, seen)))

    def _stamped(
        self, papers: Mapping[str, bytes], leaf: Leaf, head: Checkpoint, carried: Tree | None
    ) -> tuple[int, Stamped | None, str]:
        """The leaves of the head that is stamped, who says since when, and what is left open.

        Raises Refuted, and Undecidable where the stamp cannot be read here.
        """
        if TIME_STAMP not in papers:
            return 0, None, "" if self._roots is None else UNSTAMPED
        try:
            proof = read_proof(papers[TIME_PROOF].decode("utf-8", "replace"))
            _, other = read_checkpoint(proof.checkpoint)
            proof.check(leaf.data, other.size, other.root)
            if other.origin != head.origin:
                raise NoteWrong(f"it is of the log {other.origin}, the file's of {head.origin}")
            if self._policy is not None:
                self._policy.open(proof.checkpoint)
            apart = self._apart(head, carried, proof.checkpoint)
            if self._roots is None:
                return 0, None, UNJUDGED
            found = check(papers[TIME_STAMP], proof.checkpoint, self._roots)
        except (NoteWrong, ProofWrong, StampWrong) as error:
            expected = "that a head with this event was stamped"
            raise refute(CHECK, leaf.seq, "time stamp", expected, error) from None
        except StampUnread as error:
            raise Undecidable(f"the time stamp: {error}; openssl ts -verify may read it") from None
        return other.size, found, apart

    def _apart(self, head: Checkpoint, carried: Tree | None, text: str) -> str:
        """What is left open of whether the stamped head is of one log with the file's and those
        that were kept. Raises Refuted where it is not.
        """
        _, other = read_checkpoint(text)
        for each in (read_checkpoint(kept)[1] for _, kept in self._known):
            if each.size == other.size and each.root != other.root:
                raise _two_pasts(other, each, STAMPED_HEAD)
            if each.size == other.size:
                return ""
        try:
            self._compare(head, carried, STAMPED_HEAD, text)
        except Undecidable as error:
            why = "" if self._fetch is None else f" ({error})"
            return UNCOMPARED.format(other.size, head.size, why)
        return ""

    def _signed(self, proof: LoggedProof) -> list[Signed]:
        """The cosignatures. Raises Refuted where they are not enough."""
        if self._policy is None:
            return []
        _, _, signed = self._policy.open(proof.checkpoint)
        if not self._policy.met([each.key for each in signed]):
            names = ", ".join(each.key.name for each in signed) or "nobody"
            raise refute(CHECK, 0, "cosignatures", self._policy.told(), f"by {names}")
        return signed

    def _compare(self, head: Checkpoint, carried: Tree | None, name: str, text: str) -> None:
        """Whether the file's head and one that was kept are of one log.

        carried  another tree of the file's log, as the file itself proves
        """
        try:
            _, known = read_checkpoint(text)
        except NoteWrong as error:
            raise Undecidable(f"{name} is no head of a log: {error}") from None
        if known.origin != head.origin:
            raise Undecidable(f"{name} is of the log {known.origin}, the file's of {head.origin}")
        if carried is not None and carried.size == known.size:
            if carried.root != known.root:
                raise _two_pasts(known, head, name)
            return
        try:
            small, large = sorted((known, head), key=lambda each: each.size)
            proof = self._bridge(small, large, name)
            check_consistency(small.size, small.root, large.size, large.root, proof)
        except ProofWrong:
            raise _two_pasts(known, head, name) from None

    def _bridge(self, small: Checkpoint, large: Checkpoint, name: str) -> list[bytes]:
        if small.size == large.size:
            return []
        if self._fetch is None:
            raise Undecidable(
                f"{name} and the file's head are of {small.size} and {large.size} leaves, in "
                "whichever order: --log ADDRESS has to give the tiles by which they are compared, "
                "or a file of GET .../evidence?known=SIZE the proof for the head that you kept"
            )
        try:
            return consistency(small.size, large.size, nodes_from(self._fetch, large.size))
        except (KeyError, Unreachable, TileWrong) as error:
            raise Undecidable(f"the tiles between {name} and the file: {error}") from None

    def _word(self, head: Checkpoint, seq: int, signed: Sequence[Signed], until: str) -> LogWord:
        tree = f"the log {head.origin}, of {head.size} leaves"
        check = f"event {seq}, and with it all before it, is in {tree}"
        kept = [name for name, _ in self._known]
        if kept:
            check += f", which goes on from {', '.join(kept)}"
        check += until
        if self._policy is None:
            said = "--policy FILE says whose log that is, and who has to have cosigned it"
            return LogWord(check, note=f"Nobody vouches for {tree}: {said}.")
        names = ", ".join(each.key.name for each in signed)
        by = f"cosigned by {names}" if signed else "which no witness had to cosign"
        origin = f"shown up to event {seq}: it is in {tree}, {by}"
        return LogWord(check, origin, _since(self._policy, signed))


def _two_pasts(known: Checkpoint, head: Checkpoint, name: str) -> Refuted:
    expected = f"one that goes on from {name}: {known.size} leaves, root {encoded(known.root)}"
    found = f"a second past: {head.size} leaves, root {encoded(head.root)}"
    return refute(CHECK, 0, f"head of the log {head.origin}", expected, found)


def _since(policy: Policy, signed: Sequence[Signed]) -> str:
    """The time at which enough had cosigned."""
    at = enough_at(policy, signed)
    return "" if at is None else f"the witnesses, that all of it was there at {told(at)}"


def _proof(papers: Mapping[str, bytes]) -> LoggedProof:
    """Raises NoteWrong."""
    try:
        head, text = (papers[name].decode() for name in (LOG_HEAD, LOG_PROOFS))
    except UnicodeDecodeError as error:
        raise NoteWrong(f"the log's papers are no text: {error}") from None
    found = read_proof(text)
    if found.checkpoint != head:
        raise NoteWrong(f"{LOG_PROOFS} is of another head than {LOG_HEAD}")
    return found


def _carried(papers: Mapping[str, bytes], head: Checkpoint) -> Tree | None:
    """The tree of another size of which the file proves that it is of one log with the head's.

    Raises Refuted.
    """
    if LOG_CONSISTENCY not in papers:
        return None
    text = papers[LOG_CONSISTENCY].decode("ascii", "replace")
    try:
        return read_grown(text).other(Tree(head.size, head.root))
    except (NoteWrong, ProofWrong) as error:
        expected = "that the file's head is of one log with another one"
        raise refute(CHECK, 0, "consistency", expected, error) from None
