"""What every ruleset's suite (tests/<game>/suite.py) is held to."""
