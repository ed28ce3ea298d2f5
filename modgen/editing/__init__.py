"""`modgen edit`: paint a board or a map of points in the browser, and fill in numbers that a rulebook lacks.

`document` is what the browser gets and sends back, `yamltext` changes single parts of a YAML file and leaves the rest as it is,
`saving` writes an overlay or the pack itself, `straighten` makes a photo lie flat, `site` answers the browser.
"""
