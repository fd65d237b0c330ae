"""Plays a whole game: python play.py http://127.0.0.1:8000 crimson-tide '{"name": "Mine"}'"""

import json
import random
import sys
from uuid import uuid4

from openapi_client import ApiClient, Configuration, NewGame
from openapi_client.api import CommandsApi, GamesApi
from openapi_client.exceptions import ApiException

url, ruleset, more = (*sys.argv[1:], "{}")[:3]
games = GamesApi(ApiClient(Configuration(host=url)))
wish = NewGame.from_json(json.dumps({"ruleset": ruleset, **json.loads(more)}))
assert wish is not None
made = games.create_game(uuid4().hex, wish)
path, events, refused = made.game.id, 0, 0
seats = {
    each.seat: CommandsApi(ApiClient(Configuration(host=url, access_token=each.token)))
    for each in made.tokens
}
while (game := games.get_game(path)).status != "finished":
    seat = seats[game.to_move[0].seat]
    listed = seat.list_commands(path)
    item = random.choice(listed.items)  # ways to give up are apart from these
    try:
        done = seat.give_command(path, uuid4().hex, f'"{listed.version}"', item.command)
        events += len(done.events)
    except ApiException as problem:  # its code may be newer than this client
        if problem.status != 412:
            raise
        refused += 1
print(json.dumps({"game": path, "version": game.version, "events": events, "refused": refused}))
