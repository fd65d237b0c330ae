"""Plays a whole game: python play.py http://127.0.0.1:8000 crimson-tide '{"name": "Mine"}'"""

import json
import random
import sys
from uuid import uuid4

from decklog_generated import AuthenticatedClient, Client, models
from decklog_generated.api.commands import give_command, list_commands
from decklog_generated.api.games import create_game, get_game
from decklog_generated.models import CommandDone, CommandList, GameCreated, GameSummary, Problem

url, ruleset, more = (*sys.argv[1:], "{}")[:3]
client = Client(base_url=url)
kind = getattr(models, f"{ruleset.title().replace('-', '')}NewGame")  # one for each ruleset
wish = kind.from_dict({"ruleset": ruleset, **json.loads(more)})
made = create_game.sync(client=client, body=wish, idempotency_key=str(uuid4()))
assert isinstance(made, GameCreated), made
game_id, events, refused = made.game.id, 0, 0
seats = {each.seat: AuthenticatedClient(base_url=url, token=each.token) for each in made.tokens}
while True:
    game = get_game.sync(game_id, client=client)
    assert isinstance(game, GameSummary), game
    if game.status == "finished":
        break
    seat = seats[game.to_move[0].seat]
    listed = list_commands.sync(game_id, client=seat)
    assert isinstance(listed, CommandList), listed
    item = random.choice(listed.items)  # ways to give up are apart from these
    headers = {"idempotency_key": str(uuid4()), "if_match": f'"{listed.version}"'}
    done = give_command.sync(game_id, client=seat, body=item.command, **headers)
    if isinstance(done, CommandDone):
        events += len(done.events)
    else:  # a problem whose code may be newer than this client
        assert isinstance(done, Problem), done
        assert done.status == 412, done
        refused += 1
print(json.dumps({"game": game_id, "version": game.version, "events": events, "refused": refused}))
