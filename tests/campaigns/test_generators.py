"""The short tier: one language of the six is generated and compiled."""

from __future__ import annotations

import pytest

from tests.campaigns import generators


@pytest.mark.slow("document")
@pytest.mark.timeout(400)
def test_the_python_client_of_openapi_generator_is_made_and_imported() -> None:
    said = generators.build("python")
    assert said.startswith("python: ")
    assert "models and apis imported" in said


def test_all_six_languages_are_in_the_campaign() -> None:
    assert set(generators.TARGETS) == {"typescript", "python", "java", "csharp", "rust", "go"}
