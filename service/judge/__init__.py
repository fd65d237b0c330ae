"""The program's own judge in a page: Python for WebAssembly, and our packages unchanged."""
