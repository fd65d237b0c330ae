"""The named campaigns: each of a size that was asked for, run in pieces, told in one table."""
