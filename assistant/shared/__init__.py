"""What the assistants of several games share."""
