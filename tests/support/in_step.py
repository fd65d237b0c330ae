"""Two services in step: the same requests go to both, byte for byte the same."""

from __future__ import annotations

from typing import Any

import httpx
from litestar.testing import TestClient


class Asked:
    """One of two services that are compared.

    hub    knows which of the two acts
    posts  requests so far that were posted
    """

    client: TestClient[Any]
    hub: Any
    posts: int

    def ask(self, method: str, path: str, token: str = "", **more: Any) -> httpx.Response:
        """One request; the request's own names are the same in both worlds."""
        # As it is: a compressed answer is a function of these bytes, its size of their random ids.
        plain = {"X-Request-Id": "a-request-of-two-worlds", "Accept-Encoding": "identity"}
        headers = {**plain, **more.pop("headers", {})}
        if token:
            headers["Authorization"] = f"Bearer {token}"
        if method == "POST":
            self.posts += 1
            headers["Idempotency-Key"] = f"two-worlds-request-{self.posts:032}"
        self.hub.acting = self
        return self.client.request(method, path, headers=headers, **more)
