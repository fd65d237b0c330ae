"""What the caller wants: forms of the answer, and codings of it (RFC 9110, 12.5.1, 12.5.3)."""

from __future__ import annotations

from functools import lru_cache

from service.problems import Refusal


@lru_cache(128)
def choose(header: str, offered: tuple[str, ...]) -> str:
    """The offered media type that ``header`` likes best; the first one offered among equals.

    Raises Refusal ``accept.not-acceptable`` when none is allowed.
    """
    if header.strip() in ("", "*/*") or not offered:
        return offered[0] if offered else ""
    ranges = weights(header)
    best, best_quality = "", 0.0
    for media in offered:
        quality = _quality(media, ranges)
        if quality > best_quality:
            best, best_quality = media, quality
    if not best:
        raise Refusal("accept.not-acceptable", f"This operation answers in {' or '.join(offered)}.")
    return best


@lru_cache(128)
def takes_gzip(header: str) -> bool:
    """Whether Accept-Encoding admits gzip; what it says of gzip itself goes before ``*``."""
    said = dict(weights(header))
    return said.get("gzip", said.get("x-gzip", said.get("*", 0.0))) > 0


def weights(header: str) -> list[tuple[str, float]]:
    """What the header names, in lower case, each with how welcome it is."""
    return [_parse(part) for part in header.split(",") if part.strip()]


def _parse(part: str) -> tuple[str, float]:
    name, *parameters = (piece.strip() for piece in part.split(";"))
    quality = 1.0
    for parameter in parameters:
        key, _, value = parameter.partition("=")
        if key.strip().lower() == "q":
            quality = _weight(value.strip())
    return name.lower(), quality


def _weight(text: str) -> float:
    try:
        return min(1.0, max(0.0, float(text)))
    except ValueError:
        return 0.0


def _quality(media: str, ranges: list[tuple[str, float]]) -> float:
    """The weight of the most specific range that covers ``media``; 0 when none does."""
    family = media.split("/", maxsplit=1)[0] + "/*"
    for pattern in (media, family, "*/*"):
        weights = [quality for name, quality in ranges if name == pattern]
        if weights:
            return max(weights)
    return 0.0
