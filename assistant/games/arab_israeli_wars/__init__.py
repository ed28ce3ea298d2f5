"""What the rules of The Arab-Israeli Wars decide."""
