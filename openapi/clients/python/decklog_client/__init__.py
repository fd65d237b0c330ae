"""A client of Decklog: ``Client`` waits, ``AsyncClient`` awaits; see README.md.

``decklog_client.types`` has what goes over the wire, by the names of the document.
"""

from .client import Client, Table, Turn
from .dice import Chain, mark
from .heads import Head, Heads, OtherRecord
from .keys import SeatKey
from .later import AsyncClient, AsyncTable, AsyncTurn
from .log import Checkpoint, OtherLog
from .patch import patched
from .stream import News
from .webhooks import NotFromTheService, verify
from .wire import Problem

__all__ = [
    "AsyncClient",
    "AsyncTable",
    "AsyncTurn",
    "Chain",
    "Checkpoint",
    "Client",
    "Head",
    "Heads",
    "News",
    "NotFromTheService",
    "OtherLog",
    "OtherRecord",
    "Problem",
    "SeatKey",
    "Table",
    "Turn",
    "mark",
    "patched",
    "verify",
]
