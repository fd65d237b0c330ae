"""The service's own keys, as ``decklog keys`` has laid them into a folder."""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

from ..errors import StoreRefused
from ..evidence.keylist import KeyList, Role, open_list
from ..evidence.signing import BadKey, BadSignature, SigningKey, read_skey

LIST = "list.dsse.json"
"""The list of all keys, signed by the root: anybody may read it."""


SERVING: tuple[Role, ...] = ("receipts", "bundles")
"""Roles of which this part of the service has the secret keys."""


def key_file(role: Role) -> str:
    """The name of the file with the secret key of a role."""
    return f"{role}.skey"


class Signers(NamedTuple):
    """What a service signs with.

    receipts, bundles  its keys for what it takes, and for the evidence that it gives out
    listed             the list in which its root vouches for them
    """

    receipts: SigningKey
    bundles: SigningKey
    listed: bytes


def signers(folder: str) -> Signers | None:
    """The keys in a folder; None where none is named. Raises StoreRefused ``store.wrong-key``
    where one is missing, is none, or is not the one that the list says signs now."""
    if not folder:
        return None
    try:
        listed = (Path(folder) / LIST).read_bytes()
        keys = open_list(listed, None)
        receipts, bundles = (_own(Path(folder), keys, role) for role in SERVING)
    except (OSError, UnicodeDecodeError, BadKey, BadSignature) as error:
        raise StoreRefused("store.wrong-key", f"DECKLOG_KEYS, {folder}: {error}.") from None
    return Signers(receipts, bundles, listed)


def ends(folder: str, signing: Signers) -> str:
    """When the first of the keys ends, by the list that is in the folder now; "" where none does.

    Raises StoreRefused where the list cannot be read, or is of another root.
    """
    try:
        keys = open_list((Path(folder) / LIST).read_bytes(), None)
        before = open_list(signing.listed, None)
    except (OSError, BadSignature) as error:
        raise StoreRefused("store.wrong-key", f"DECKLOG_KEYS, {folder}: {error}.") from None
    if keys.root != before.root:
        raise StoreRefused("store.wrong-key", f"DECKLOG_KEYS, {folder}: a list of another root.")
    own = {str(signing.receipts.verify_key), str(signing.bundles.verify_key)}
    return min((each.until for each in keys.keys if each.key in own and each.until), default="")


def _own(folder: Path, keys: KeyList, role: Role) -> SigningKey:
    found = read_skey((folder / key_file(role)).read_text("ascii"))
    vkey = str(found.verify_key)
    if not any((each.role, each.key, each.until) == (role, vkey, "") for each in keys.keys):
        raise BadKey(f"{key_file(role)} is not what the list says signs {role} now")
    return found
