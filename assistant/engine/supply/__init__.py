"""Supply and command: the lines that units trace, which unit commands which, and the places whose capture cuts a
supply line."""
