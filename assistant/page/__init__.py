"""The assistant's web page: the same answers on a phone at the table. By default it listens on this machine only.

`site` turns a request into a response or a job, without sockets; `application` is the ASGI application and `server`
runs it; `workers` runs jobs in processes of their own. `saves` opens positions, `live_tables` keeps tables that
several devices change, `browser_site` is all of it inside a browser. `assets/` holds what the browser runs.
"""
