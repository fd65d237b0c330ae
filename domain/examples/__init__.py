"""Games that show how a game is made; no entry point names them, so no service offers them."""
