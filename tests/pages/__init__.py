"""The pages at ``/``, driven by a real Chromium against a real server."""
