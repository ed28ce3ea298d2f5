"""`modgen watch`: a pack as it is written, drawn in a browser."""
