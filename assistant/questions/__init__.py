"""Questions and answers: typed inputs, names of units and places as people write them, answers as a tree of nodes, and the
renderers that turn an answer into text, JSON or the page's nodes."""
