"""What is so after each event: one module for each module of events."""
