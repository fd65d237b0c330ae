"""Following the log of all games: projections, and whatever else takes in each event once."""
