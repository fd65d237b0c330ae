"""Everything with a clock, an id, a die or a network: store, engine, dice vault, HTTP, commands."""
