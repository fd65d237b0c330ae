"""The rulebooks against the code and the tests: ``make rules``."""
