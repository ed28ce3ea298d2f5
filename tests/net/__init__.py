"""The net under the rules: neutral questions and answers, and recordings of them, that stay while the code under them changes.

`draw/` says what is asked, `facts/` reads answers as numbers, sets and refusals, `recordings/` are what was answered.
`python -m tests.net compare GAME` asks all of them again; `record` keeps what is answered now.
"""
