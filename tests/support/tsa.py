"""A time-stamping authority of openssl's own (``openssl ts -reply``), and one over loopback.

Whoever uses it is skipped where openssl is not installed.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest
from cryptography import x509
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat
from cryptography.x509.oid import ExtendedKeyUsageOID, NameOID

# Also where `.ci/run` leaves no path but that of the programs that the service needs.
OPENSSL = shutil.which("openssl", path=f"{os.environ['PATH']}:/usr/bin:/usr/local/bin")

needs_openssl = pytest.mark.skipif(OPENSSL is None, reason="openssl, which stamps, is not there")

CONFIG = """[tsa]
default_tsa = one
[one]
serial = {folder}/serial
signer_digest = sha256
default_policy = 1.2.3.4.1
digests = sha256, sha512
accuracy = {accuracy}
ess_cert_id_chain = no
ess_cert_id_alg = sha256
"""


class Authority:
    """In a folder; ``root``: its root certificate in PEM.

    days      for which its certificate is valid, from yesterday on; -1: it was over yesterday
    accuracy  of its clock, as openssl writes it
    """

    def __init__(
        self, folder: Path, name: str = "Clock Office", days: int = 30, accuracy: str = "secs:1"
    ) -> None:
        self.folder = folder
        folder.mkdir(parents=True)
        self._root_key = ec.generate_private_key(ec.SECP256R1())
        self._root = _certificate(f"{name} Root", self._root_key, None, self._root_key, 3650)
        self._name = name
        self.root = self._root.public_bytes(Encoding.PEM)
        (folder / "serial").write_text("01\n")
        (folder / "tsa.cnf").write_text(CONFIG.format(folder=folder, accuracy=accuracy))
        self.certify(days)

    def certify(self, days: int) -> None:
        """A certificate anew."""
        key = ec.generate_private_key(ec.SECP256R1())
        own = _certificate(self._name, key, self._root, self._root_key, days)
        pem = key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption())
        (self.folder / "key.pem").write_bytes(pem)
        (self.folder / "own.pem").write_bytes(own.public_bytes(Encoding.PEM))
        chain = [each.public_bytes(Encoding.DER) for each in (own, self._root)]
        # In the order that DER does not have: openssl writes the signer's first.
        self.unsorted = chain != sorted(chain)

    def answer(self, query: bytes, *, whole_chain: bool = False) -> bytes:
        """The token for a request, as openssl makes it."""
        asked, told = self.folder / "asked.tsq", self.folder / "told.tsr"
        asked.write_bytes(query)
        (self.folder / "root.pem").write_bytes(self.root)
        line = [str(OPENSSL), "ts", "-reply", "-config", str(self.folder / "tsa.cnf"),
                "-queryfile", str(asked), "-inkey", str(self.folder / "key.pem"),
                "-signer", str(self.folder / "own.pem"), "-out", str(told)]  # fmt: skip
        if whole_chain:
            line += ["-chain", str(self.folder / "root.pem")]
        subprocess.run(line, check=True, capture_output=True, timeout=60)
        return told.read_bytes()


def _certificate(
    name: str, key: ec.EllipticCurvePrivateKey, issuer: x509.Certificate | None,
    signer: ec.EllipticCurvePrivateKey, days: int,
) -> x509.Certificate:  # fmt: skip
    own = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, name)])
    now = datetime.now(UTC)
    begin = now - timedelta(days=1 if days > 0 else 30)
    made = (
        x509.CertificateBuilder().subject_name(own).issuer_name(issuer.subject if issuer else own)
        .public_key(key.public_key()).serial_number(x509.random_serial_number())
        .not_valid_before(begin).not_valid_after(now + timedelta(days=days))
    )  # fmt: skip
    public, own_id = key.public_key(), x509.SubjectKeyIdentifier.from_public_key
    made = made.add_extension(x509.BasicConstraints(issuer is None, None), critical=True)
    made = made.add_extension(own_id(public), critical=False)
    if issuer is not None:
        usage = x509.ExtendedKeyUsage([ExtendedKeyUsageOID.TIME_STAMPING])
        made = made.add_extension(usage, critical=True)
        above = x509.AuthorityKeyIdentifier.from_issuer_public_key(signer.public_key())
        made = made.add_extension(above, critical=False)
    return made.sign(signer, hashes.SHA256())


Answers = Callable[[bytes], bytes]


@contextmanager
def served(answers: Answers, status: int = 200, where: str = "") -> Iterator[str]:
    """The address of somebody who answers each question so.

    where  to which it leads on, with a status of 3xx
    """

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = answers(self.rfile.read(int(self.headers["Content-Length"])))
            self.send_response(status)
            if where:
                self.send_header("Location", where)
            self.send_header("Content-Type", "application/timestamp-reply")
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *_: object) -> None:
            """Nothing is told."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.daemon_threads, server.block_on_close = True, False
    thread = threading.Thread(target=server.serve_forever, args=(0.02,), daemon=True)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_address[1]}/tsr"
    finally:
        server.shutdown()
        thread.join()
        server.server_close()
