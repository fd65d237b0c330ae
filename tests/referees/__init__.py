"""Second opinions: small referees that judge a game from its events, without the engine."""
