"""Judges the papers of a public log in an evidence file: whose log it is, who saw it, and when."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from ..evidence.bundle import LOG_CONSISTENCY, LOG_HEAD, LOG_PROOFS
from ..evidence.logged import LogWord, Owed
from ..evidence.verdict import Refuted, Undecidable, refute
from .border import Border, Place, broken, check_until, enough_at, seen_at, told
from .checkpoint import Checkpoint, read_checkpoint
from .leaf import Leaf, tag_of
from .note import NoteWrong, Signed
from .policy import Policy
from .proof import LoggedProof, Tree, encoded, read_grown, read_proof
from .remote import Unreachable
from .tiles import Fetch, TileWrong, nodes_from
from .tree import ProofWrong, check_consistency, consistency

CHECK = "log"


class Judge:
    """What the caller asks of the papers.

    policy  whose log, and whose cosignatures, they have to bear; None: any
    known   heads of the log that the caller has kept, with the names of their files: the log has to
            go on from each
    fetch   gives the tiles of the log, by which heads of other sizes are compared
    until   by when the log has to have had the game: a time, or a number of leaves
    """

    def __init__(
        self, policy: Policy | None, known: Sequence[tuple[str, str]] = (),
        fetch: Fetch | None = None, until: Border = None,
    ) -> None:  # fmt: skip
        self._policy = policy
        self._known = known
        self._fetch = fetch
        self._until = until

    def __call__(
        self, papers: Mapping[str, bytes], game: str, seq: int, hash: str, owed: Sequence[Owed] = ()
    ) -> LogWord:
        """See :class:`service.evidence.logged.LogJudge`."""
        if not papers:
            if self._policy is None and not self._known and self._until is None:
                return LogWord()
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
        word = self._word(head, seq, signed, check_until(self._until, proof.number, seen))
        place = Place(tag_of(game), seq, proof.number, head, self._fetch)
        return word._replace(broken=tuple(broken(place, owed, seen)))

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
