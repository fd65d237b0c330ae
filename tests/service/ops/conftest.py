"""The table of the HTTP tests."""

from __future__ import annotations

from tests.service.http.conftest import settings, table

__all__ = ["settings", "table"]
