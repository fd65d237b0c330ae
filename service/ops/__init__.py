"""What an operator watches and is warned of: logs, counters, traces, unsafe settings."""
