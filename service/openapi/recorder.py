"""Sends the requests of the document's examples, and keeps what is answered."""

from __future__ import annotations

import hashlib
import re
from typing import Any

import httpx

from service.http.bundles import SHORT
from service.http.operation import JSON
from service.http.paging import read_cursor, write_cursor

Examples = dict[str, dict[str, Any]]

_SECRET = re.compile(r"whsec_[A-Za-z0-9+/]{43}=")
_TOKEN = re.compile(r"dl_([a-z]+)_[0-9a-f]{16}_[A-Za-z0-9_-]{43}_[0-9a-f]{8}")
_HEX = re.compile(r"(?<![0-9A-Za-z])(c_)?[0-9a-f]{16,}(?![0-9A-Za-z])")


class Recorder:
    """Sends requests and keeps the answers, by operation, status and media type."""

    def __init__(self, client: httpx.AsyncClient, ruleset: str) -> None:
        self.client = client
        self.ruleset = ruleset
        self.examples: Examples = {}
        self.problems: dict[str, Any] = {}
        self._keys = 0

    async def ask(
        self, method: str, path: str, *, token: str = "", key: bool = True, **more: Any
    ) -> httpx.Response:
        """One request; a POST gets a fresh key unless it is to go without."""
        headers = dict(more.pop("headers", {}))
        if token:
            headers["Authorization"] = f"Bearer {token}"
        if method == "POST" and key:
            self._keys += 1
            headers.setdefault("Idempotency-Key", f"example-key-number-{self._keys:032}")
        return await self.client.request(method, path, headers=headers, **more)

    async def record(
        self, operation: str, method: str, path: str, status: int = 200, **more: Any
    ) -> httpx.Response:
        """One request whose answer is kept as an example of ``operation``."""
        response = await self.ask(method, path, **more)
        if response.status_code != status:
            raise RuntimeError(f"{operation}: {response.status_code} {response.text}")
        kept = self.examples.setdefault(operation, {}) if response.content else {}
        if "json" in more:
            kept["request"] = {self.ruleset: {"summary": "A request.", "value": more["json"]}}
        media = response.headers.get("content-type", "").split(";")[0]
        if media:
            value = response.json() if media == JSON else response.text
            shown = {"summary": f"{method} {path}", "value": value}
            kept.setdefault(str(status), {})[media] = {self.ruleset: shown}
        return response

    async def problem(self, code: str, method: str, path: str, **more: Any) -> None:
        """One request whose refusal is kept as the example of ``code``."""
        response = await self.ask(method, path, **more)
        found = response.json()
        if found.get("code") != code:
            raise RuntimeError(f"{code} is wanted, not {response.text}")
        self.problems[code] = found


class Placeholders:
    """Replaces ids, tokens and hashes, the same one always by the same stand-in."""

    def __init__(self) -> None:
        self._known: dict[str, str] = {}

    def replace(self, value: Any) -> Any:
        """``value`` with every such text in it replaced."""
        if isinstance(value, dict):
            return {name: self._field(name, item) for name, item in value.items()}
        if isinstance(value, list):
            return [self.replace(item) for item in value]
        if isinstance(value, str):
            value = _SECRET.sub(self._secret, _TOKEN.sub(self._token, value))
            return _HEX.sub(self._hex, value)
        return value

    def _field(self, name: str, value: Any) -> Any:
        return self._cursor(value) if name == "next" and value else self.replace(value)

    def _cursor(self, value: str) -> str:
        """One that goes on in games has their ids in it, cut short."""
        inside = read_cursor(value)
        for real, stand_in in self._known.items():
            if len(real) >= SHORT:
                inside = inside.replace(real[:SHORT], stand_in[:SHORT])
        return write_cursor(inside)

    def _hex(self, found: re.Match[str]) -> str:
        start = found[1] or ""
        return self._known.setdefault(found[0], start + self._digits(len(found[0]) - len(start)))

    def _token(self, found: re.Match[str]) -> str:
        made = f"dl_{found[1]}_{self._digits(16)}_{'example' * 6}1_{self._digits(8)}"
        return self._known.setdefault(found[0], made)

    def _secret(self, found: re.Match[str]) -> str:
        """Not in base64 of 32 bytes on purpose: nobody shall use it."""
        return self._known.setdefault(found[0], f"whsec_Example{len(self._known)}".ljust(50, "="))

    def _digits(self, length: int) -> str:
        number = str(len(self._known)).encode()
        digits = "".join(
            hashlib.sha256(b"example %s %d" % (number, part)).hexdigest()
            for part in range(length // 64 + 1)
        )
        return digits[:length]
