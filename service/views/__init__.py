"""What a viewer may see of a game: folds of the events, and answers that look back over them."""
