"""The rules by chapter: given a table, when a command, then events or a refusal."""
