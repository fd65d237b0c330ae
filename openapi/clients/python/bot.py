"""A whole game by chance: python bot.py http://127.0.0.1:8000 naval-battles"""

import random
import sys

from decklog_client import Client

with Client(sys.argv[1]) as api:
    table = api.new_table(ruleset=sys.argv[2])
    for turn in table.turns():
        turn.give(random.choice(turn.items())["command"])
    print(table.summary()["result"])
