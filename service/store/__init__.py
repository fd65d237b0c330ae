"""The store: one SQLite file behind the ``eventsourcing`` recorder, written by one process."""
