"""`modgen edit`: paint a board or a map of points in the browser, and fill in numbers that a rulebook lacks.

`document` is what the browser receives and sends back. `yamltext` changes single parts of a YAML file and keeps the
rest. `merging` combines edits of the browser and the file. `saving` writes an overlay or the pack itself.
`straighten` makes a photo lie flat. `page` answers the browser.
"""
