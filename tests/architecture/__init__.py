"""What must stay true of the tree itself: purity, layering, size, manners."""
