"""What is shown of Pennant; nothing here decides."""
