"""What is expensive, in processes that can be killed."""
