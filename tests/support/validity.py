"""Whether a document is valid OpenAPI 3.1: what is the same in several documents is judged once.

openapi-spec-validator holds each schema of a document to the schema of schemas, in Python: four
fifths of its time. The documents of a run, of all rulesets, of each alone and with a plug-in, have
nearly the same schemas. Only what is valid is remembered.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from typing import Any

from openapi_spec_validator import OpenAPIV31SpecValidator
from openapi_spec_validator import validate as judge
from openapi_spec_validator.validation.keywords import OpenAPIV31SchemaValidator

_VALID: set[str] = set()


class Schemas(OpenAPIV31SchemaValidator):
    """Holds a schema to the schema of schemas, unless the same one was found to be valid."""

    def _get_schema_checker(self, schema: Any, schema_value: Any) -> Callable[[Any], None]:
        check = super()._get_schema_checker(schema, schema_value)

        def once(value: Any) -> None:
            key = json.dumps(value, sort_keys=True)
            if key not in _VALID:
                check(value)
                _VALID.add(key)

        return once


class Documents(OpenAPIV31SpecValidator):
    """The validator of documents, with that one for their schemas."""

    keyword_validators = dict(OpenAPIV31SpecValidator.keyword_validators, schema=Schemas)  # noqa: RUF012


def validate(document: Mapping[str, Any]) -> None:
    """Raises OpenAPIValidationError."""
    judge(document, cls=Documents)
