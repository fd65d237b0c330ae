"""How each event changes the state: what an event says is so."""
