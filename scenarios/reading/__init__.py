"""From text files to typed records: every value keeps its place in the file."""
