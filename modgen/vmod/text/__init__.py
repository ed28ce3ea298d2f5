"""The texts of a module: briefings, the chat, reports of pieces and battles, advice on units, and help pages."""
