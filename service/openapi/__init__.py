"""The OpenAPI document, generated from the operations and the installed rulesets."""
