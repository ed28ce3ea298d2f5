"""The net under the rules: neutral questions and answers, and recordings of them, that stay while the code under them changes."""
