"""The assistant's web page: the same answers on a phone at the table. It listens on this machine unless asked otherwise."""
