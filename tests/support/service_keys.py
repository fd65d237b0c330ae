"""Keys of a service for tests, laid down by the command that operators use."""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

from service.cli import main
from service.evidence.signing import SigningKey, VerifyKey, read_skey


class ServiceKeys(NamedTuple):
    """A folder of keys and the root key that signed their list."""

    folder: Path
    root_file: Path

    @property
    def root(self) -> VerifyKey:
        return read_skey(self.root_file.read_text()).verify_key

    def key(self, role: str) -> SigningKey:
        """The secret key that is in use for a role."""
        return read_skey((self.folder / f"{role}.skey").read_text())

    @property
    def listed(self) -> bytes:
        """The list of keys, signed."""
        return (self.folder / "list.dsse.json").read_bytes()


def service_keys(folder: Path, name: str = "decklog.example") -> ServiceKeys:
    """Fresh keys below a folder."""
    made = ServiceKeys(folder / "keys", folder / "offline" / "root.skey")
    assert main(["keys", "root", str(made.root_file), "--name", f"{name}"]) == 0
    assert main(["keys", "make", str(made.folder), "--root", str(made.root_file)]) == 0
    return made
