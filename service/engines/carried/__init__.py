"""Archives of engines of the past, and the table of them (``carry.py``)."""
