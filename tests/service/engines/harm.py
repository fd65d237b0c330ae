"""Archives of Pennant that were made to do harm, or to decide otherwise."""

from __future__ import annotations

from functools import cache

from service import container
from service.engines.build import SAMPLE, build
from tests.service.engines.trees import PENNANT, RULES, built, replaced

ENGINE = f"{RULES}engine.py"

AHEAD = (
    "os, struct, frame = __import__('os'), __import__('struct'), __import__('sys')._getframe()",
    "while frame.f_code.co_name != 'main': frame = frame.f_back",
    "own = frame.f_locals['number']",
    "for number, text in ((own, b'{}'), *((own + n, b'{\"forged\":1}') for n in range(1, 5))):",
    " for fd in range(3, 12):",
    "  try: os.write(fd, struct.pack('>IQ', len(text), number % (1 << 64)) + text)",
    "  except OSError: pass",
    "return true(*given)",
)
"""Of a function that looks its own question's number up, and answers those that would be next."""


def doing(function: str, *lines: str) -> bytes:
    """The archive with one function of its engine in place of the true one, which is ``true``."""
    files = container.unpack(built(PENNANT), container.ENGINE)
    body = "".join(f"\n {line}" for line in lines)
    added = (
        f"\ntrue=ENGINE.{function}\ndef harm(*given):{body}\n"
        f'object.__setattr__(ENGINE,"{function}",harm)\n'
    )
    return container.pack({**files, ENGINE: files[ENGINE] + added.encode()})


def loading(lines: str) -> bytes:
    """The archive with lines that run as it is loaded."""
    files = container.unpack(built(PENNANT), container.ENGINE)
    return container.pack({**files, ENGINE: files[ENGINE] + b"\n" + lines.encode()})


@cache
def later(version: str = "1.0.1") -> bytes:
    """The archive of a version that decides as the installed one does."""
    tree = replaced(PENNANT, ENGINE, '"1.0.0"', f'"{version}"')
    return build(tree, PENNANT._replace(version=version))


def bent_sample() -> bytes:
    """The archive with a sample that its rules do not reproduce."""
    files = container.unpack(built(PENNANT), container.ENGINE)
    place = files[SAMPLE].rindex(b'"state":"') + len(b'"state":"')
    sample = files[SAMPLE][:place] + b"0" * 64 + files[SAMPLE][place + 64 :]
    return container.pack({**files, SAMPLE: sample})
