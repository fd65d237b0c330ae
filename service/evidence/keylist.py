"""The keys of a service: which key signs what, from when, until when; signed by its root key.

The root key lies offline and signs this list alone, so that a key which is used every day may be
changed, or taken back, without anybody having to learn a new name: who judges knows the root.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final, Literal

import msgspec
from msgspec import UNSET, UnsetType

from domain.kernel.codec import canonical

from . import form
from .signing import (
    BadKey,
    BadSignature,
    SignedEnvelope,
    SigningKey,
    VerifyKey,
    read_envelope,
    read_vkey,
    seal_envelope,
    write_envelope,
)

KIND: Final = "application/vnd.decklog.keys.v1+json"
VERSION: Final = 1

Role = Literal["log", "receipts", "bundles"]
ROLES: Final[tuple[Role, ...]] = ("log", "receipts", "bundles")


class ListedKey(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A key of the list.

    key          its vkey
    since        from when it signs; ``until`` when it no longer does, "" while it does
    compromised  from when somebody else may have had it: nothing that it signs counts any more
    """

    role: Role
    key: str
    since: str
    until: str = ""
    compromised: str | UnsetType = UNSET

    @property
    def hint(self) -> str:
        """Its name and id."""
        return read_vkey(self.key).hint


class KeyList(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What the root says.

    origin  the service, as its keys are named
    root    vkey of the root key, which signs this
    serial  grows by one with each list
    at      when it was signed
    """

    v: int
    origin: str
    root: str
    serial: int
    at: str
    keys: tuple[ListedKey, ...]

    def signer(self, envelope: SignedEnvelope, role: Role) -> ListedKey | None:
        """Which of the listed keys of a role has signed the envelope."""
        return next(
            (
                each
                for each in self.keys
                if each.role == role and envelope.is_signed_by(read_vkey(each.key))
            ),
            None,
        )


_LIST = msgspec.json.Decoder(KeyList)


def sign_list(keys: KeyList, root: SigningKey) -> bytes:
    """The list, signed by the root key."""
    return write_envelope(seal_envelope(KIND, canonical(keys), [root]))


def open_list(data: bytes, root: VerifyKey | None) -> KeyList:
    """The list, if ``root`` has signed it; where none is named, whoever did. Raises BadSignature.

    data  what is signed has to be in its one form
    """
    envelope = read_envelope(data)
    if envelope.payload_type != KIND:
        raise BadSignature(f"an envelope of {envelope.payload_type}, not a list of keys")
    if root is not None and not envelope.is_signed_by(root):
        raise BadSignature(f"the list of keys is not signed by {root.hint}")
    if write_envelope(envelope) != data:
        raise BadSignature("the list of keys is not in its one form")
    try:
        found = form.read(envelope.content(), _LIST)
    except form.BadForm as error:
        raise BadSignature(f"that is no list of keys: {error}") from None
    if found.v != VERSION:
        raise BadSignature(f"a list of keys of version {found.v} is not known here")
    _check_keys(found, envelope)
    return found


def _check_keys(keys: KeyList, envelope: SignedEnvelope) -> None:
    try:
        if not envelope.is_signed_by_alone(read_vkey(keys.root)):
            raise BadSignature("the list of keys is not signed by the root key that it names")
        for each in keys.keys:
            read_vkey(each.key)
            if strange := [time for time in _times(each) if not form.is_stamp(time)]:
                raise BadSignature(f"the list of keys has {strange[0][:40]!r}, which is no time")
        if not form.is_stamp(keys.at):
            raise BadSignature(f"the list of keys is of {keys.at[:40]!r}, which is no time")
    except BadKey as error:
        raise BadSignature(str(error)) from None


def _times(key: ListedKey) -> Iterator[str]:
    yield key.since
    if key.until:
        yield key.until
    if isinstance(key.compromised, str):
        yield key.compromised
