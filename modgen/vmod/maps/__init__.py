"""The windows of a module: the main map with its boards and zones, and beside it trays, tracks, boxes and charts."""
