"""Supply and command: the lines that units trace, who commands whom, and which places would cut a supply line if taken."""
