"""The HTTP face of the service: one file for each resource, each a controller of Litestar."""
