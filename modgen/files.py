"""Writing files so that nothing is ever half-written; see `scenarios.files`."""

from scenarios.files import write as write
from scenarios.files import write_text as write_text
