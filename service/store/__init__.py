"""The store: an SQLite file behind the ``eventsourcing`` recorder, or a PostgreSQL database."""
