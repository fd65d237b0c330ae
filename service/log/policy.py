"""Who has to have cosigned a checkpoint before one believes it: a file of C2SP tlog-policy."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping
from typing import NamedTuple

from ..evidence.signing import ED25519
from .checkpoint import Checkpoint, read_checkpoint
from .note import COSIGNATURE, Note, NoteWrong, Signed, VerifyKey, holding, read_key

NONE = "none"
MOST = 100
"""Logs, witnesses and groups, at most."""


_NUMBER = re.compile(r"[0-9]{1,9}", re.ASCII)


class PolicyWrong(Exception):
    """A file that is no policy, with the line where it is none."""


class Witness(NamedTuple):
    """Who cosigns; ``url``: where it is asked, "" where the file does not say."""

    name: str
    key: VerifyKey
    url: str


class Group(NamedTuple):
    """``needed`` of ``members``, each a witness or a group of before."""

    needed: int
    members: tuple[str, ...]


class Policy(NamedTuple):
    """Which logs count, and whose cosignatures are enough; ``quorum`` may be "none"."""

    logs: tuple[VerifyKey, ...]
    witnesses: Mapping[str, Witness]
    groups: Mapping[str, Group]
    quorum: str

    def met(self, signed: Collection[VerifyKey]) -> bool:
        """Whether these have cosigned enough."""
        return self.quorum == NONE or self._has(self.quorum, frozenset(signed))

    def _has(self, name: str, signed: frozenset[VerifyKey]) -> bool:
        if name in self.witnesses:
            return self.witnesses[name].key in signed
        group = self.groups[name]
        return sum(self._has(member, signed) for member in group.members) >= group.needed

    def open(self, text: str) -> tuple[Note, Checkpoint, list[Signed]]:
        """A checkpoint that one of the logs has signed, with the cosignatures that it has.

        Whether they are enough, ``met`` says. Raises NoteWrong.
        """
        note, checkpoint = read_checkpoint(text)
        logs = [key for key in self.logs if key.name == checkpoint.origin]
        if not holding(note, logs):
            raise NoteWrong(f"no log of the policy has signed the checkpoint {checkpoint.origin}")
        return note, checkpoint, holding(note, [each.key for each in self.witnesses.values()])

    def told(self) -> str:
        """In words, for a verdict."""
        if self.quorum == NONE:
            return "no witness is asked for"
        group = self.groups.get(self.quorum)
        if group is None:
            return f"{self.quorum} has to have cosigned"
        return f"{group.needed} of {len(group.members)} have to have cosigned"


class _Reading:
    def __init__(self) -> None:
        self.logs: list[VerifyKey] = []
        self.witnesses: dict[str, Witness] = {}
        self.groups: dict[str, Group] = {}
        self.quorum = ""
        self._spent: set[str] = set()

    def take(self, word: str, *rest: str) -> None:
        match word, rest:
            case "log", [vkey] | [vkey, _]:
                self._new_key(vkey, ED25519)
                self.logs.append(read_key(vkey))
            case "witness", [name, vkey, *url] if len(url) < 2:
                self._new_name(name)
                self._new_key(vkey, COSIGNATURE)
                self.witnesses[name] = Witness(name, read_key(vkey), "".join(url))
            case "group", [name, needed, _, *_]:
                self._new_name(name)
                self.groups[name] = self._group(needed, rest[2:])
            case "quorum", [name] if not self.quorum:
                if name != NONE:
                    self._known(name)
                self.quorum = name
            case _:
                raise PolicyWrong("is none of log, witness, group and one quorum")

    def _new_name(self, name: str) -> None:
        if name == NONE or name in self.witnesses or name in self.groups:
            raise PolicyWrong(f"names {name} again")

    def _new_key(self, vkey: str, kind: int) -> None:
        key = read_key(vkey)
        if key.kind != kind:
            raise PolicyWrong("has a key of another kind")
        if key.public in {each.public for each in self.logs} | {
            each.key.public for each in self.witnesses.values()
        }:
            raise PolicyWrong("has a key that is there already")

    def _known(self, name: str) -> None:
        if name not in self.witnesses and name not in self.groups:
            raise PolicyWrong(f"names {name}, which no line above defines")

    def _group(self, needed: str, members: tuple[str, ...]) -> Group:
        for member in members:
            self._known(member)
            if member in self._spent:
                raise PolicyWrong(f"counts {member} a second time")
            self._spent.add(member)
        number = {"all": str(len(members)), "any": "1"}.get(needed, needed)
        if not _NUMBER.fullmatch(number) or not 1 <= int(number) <= len(members):
            raise PolicyWrong(f"asks for {needed[:20]} of {len(members)}")
        return Group(int(number), members)


def read_policy(text: str) -> Policy:
    """Raises PolicyWrong, with the number of the line."""
    reading = _Reading()
    for number, line in enumerate(text.split("\n"), 1):
        words = line.replace("\t", " ").split()
        if not words or words[0].startswith("#"):
            continue
        try:
            reading.take(*words)
        except PolicyWrong as error:
            raise PolicyWrong(f"line {number} {error}") from None
        except NoteWrong as error:
            raise PolicyWrong(f"line {number} has no key: {error}") from None
        if max(len(reading.logs), len(reading.witnesses), len(reading.groups)) > MOST:
            raise PolicyWrong(f"line {number} is one too many")
    if not reading.quorum:
        raise PolicyWrong("the file names no quorum")
    return Policy(tuple(reading.logs), reading.witnesses, reading.groups, reading.quorum)
