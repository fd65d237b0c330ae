"""Games out of evidence files alone: what a desk is asked of its store is asked of them."""
