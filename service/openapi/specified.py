"""Which section of the specification defines what a schema carries: hashed, rolled or signed.

A type of the document is JSON; what becomes of it byte by byte stands in ``openapi/spec``.
"""

from __future__ import annotations

from typing import Any

DICE, CHAIN, LOG, SIGNATURES = "dice", "chain", "log", "signatures"

SECTIONS = {
    "Proof": DICE,
    "NewLinks": DICE,
    "LinksAwaited": DICE,
    "LogCheckpoint": LOG,
    "OrderKey": SIGNATURES,
    "NewKey": SIGNATURES,
    "DecklogSeatKey": SIGNATURES,
    "DecklogOrderSignature": SIGNATURES,
    "DecklogParams": DICE,
    "DecklogGameCreated": DICE,
    "DecklogBatchRolled": DICE,
    "DecklogRollRecorded": DICE,
    "DecklogBatchVoided": DICE,
    "DecklogChainRenewed": DICE,
    "DecklogEpochStarted": DICE,
    "DecklogTipRenewed": DICE,
    "DecklogLinksGiven": DICE,
    "DecklogLinksClosed": DICE,
    "DecklogOrdersLocked": DICE,
    "DecklogMasterOpened": DICE,
    "DecklogBeaconSeen": DICE,
    "DecklogKeptShare": DICE,
    "DecklogKeyChanged": SIGNATURES,
    "DecklogSeatTakenRecord": CHAIN,
    "DecklogBotSeat": CHAIN,
    "DecklogRulesUsed": CHAIN,
    "DecklogRulesAgreed": CHAIN,
    "DecklogRulesChanged": CHAIN,
    "DecklogTakeback": CHAIN,
    "DecklogGameClosed": CHAIN,
    "DecklogGameAbandoned": CHAIN,
    "DecklogEndedByRuling": CHAIN,
    "DecklogForfeited": CHAIN,
    "DecklogDeadlinePassed": CHAIN,
    "DecklogPaused": CHAIN,
    "DecklogResumed": CHAIN,
}
"""By schema; every record of the platform is one."""


def specified(schemas: dict[str, Any]) -> dict[str, Any]:
    """The schemas, each that a proof is made of with where its bytes are defined."""
    for name in SECTIONS.keys() & schemas.keys():
        url = f"/docs/spec-{SECTIONS[name]}"
        schemas[name]["externalDocs"] = {"url": url, "description": "Its bytes in a proof."}
    return schemas
