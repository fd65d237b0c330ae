"""One canonical JSON form for states, commands and events: sorted keys, integers, no floats.

RFC 8785 (JCS) restricted to ASCII keys and integers up to 2**53 - 1, where sorted UTF-8 is JCS.
"""

from __future__ import annotations

from functools import cache
from typing import Any, Generic, TypeVar

import msgspec

from .defaults import settled
from .engine import Engine
from .event import Event, UnknownEvent, carried

E = TypeVar("E", bound=Event)
T = TypeVar("T")

_ATOMS = frozenset({str, int, bool, type(None)})
"""What is plain JSON as it is."""

_ENCODER = msgspec.json.Encoder(order="sorted")


def canonical(value: Any) -> bytes:
    """``value`` as canonical JSON; what is left out is left out by equality with its default."""
    return _ENCODER.encode(settled(value))


def read_back(value: T) -> T:
    """``value`` as its canonical form is read: what a restart, a judge and a fork have in hand."""
    return msgspec.json.decode(canonical(value), type=type(value))


def full(value: Any) -> Any:
    """``value`` as plain JSON with every field, defaults too: what a view shows.

    A field that is UNSET is absent, as everywhere.
    """
    if type(value) in _ATOMS:
        return value
    if isinstance(value, msgspec.Struct):
        tag, names = _form(type(value))
        shown = tag.copy()
        for name, encoded in names:
            item = getattr(value, name)
            if item is not msgspec.UNSET:
                shown[encoded] = item if type(item) in _ATOMS else full(item)
        return shown
    if isinstance(value, dict):
        return {key: full(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [full(item) for item in value]
    return value


@cache
def _form(kind: type[msgspec.Struct]) -> tuple[dict[str, Any], tuple[tuple[str, str], ...]]:
    """The tag of a struct, and its fields' names in Python and in JSON."""
    config = kind.__struct_config__
    tag = {config.tag_field: config.tag} if config.tag_field else {}
    return tag, tuple(zip(kind.__struct_fields__, kind.__struct_encode_fields__, strict=True))


class Codec(Generic[E]):
    """Between events and their stored form: ``<ruleset>.<name>``, schema number, canonical data.

    Old forms are read by the game's own upcasters (:attr:`Engine.upcasters`): whoever has the game
    has them, so there is no second way to make a codec.
    """

    def __init__(self, engine: Engine[Any, Any, E]) -> None:
        self._prefix = engine.ruleset + "."
        self._types = {self._prefix + t.NAME: t for t in engine.events}
        self._decoders = {name: msgspec.json.Decoder(t) for name, t in self._types.items()}
        self._upcasters = engine.upcasters

    def name(self, event: E) -> str:
        """Stable stored name, for example ``war-at-sea.unit-moved``."""
        return self._prefix + event.NAME

    def encode(self, event: E) -> bytes:
        return canonical(event)

    def decode(self, name: str, schema: int, data: bytes | msgspec.Raw) -> E:
        """The event, old schemas carried forward first. Raises UnknownEvent, ValidationError."""
        try:
            type_ = self._types[name]
        except KeyError:
            raise UnknownEvent(f"{name}.v{schema}") from None
        if schema == type_.SCHEMA:
            return self._decoders[name].decode(data)
        fields = msgspec.json.decode(data, type=dict[str, Any])
        return msgspec.convert(carried(type_, schema, fields, self._upcasters), type_)
