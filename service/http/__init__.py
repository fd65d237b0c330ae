"""The HTTP face of the service: one file for each resource, over one strict pipeline."""
