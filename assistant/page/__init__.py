"""The assistant's web page: the same answers on a phone at the table. It listens on this machine unless asked otherwise.

`site` turns a request into a response or a job, without sockets; `application` is the ASGI application and `server` runs it; `workers`
works jobs out in processes of their own. `saves` opens positions, `live` keeps tables that several devices change, `alone` is all of it
inside a browser. `assets/` holds what the browser runs.
"""
