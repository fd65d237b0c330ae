"""How each event changes the state, in the order of the events' own modules."""
