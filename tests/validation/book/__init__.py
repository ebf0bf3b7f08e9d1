"""The validation book: runs every figure of tests/validation/figures, draws it, and writes docs/VALIDATION.md; runs the
programs of tests/validation/tables and writes what they print to docs/validation.

options (command line) -> shelf (which figures and tables) -> run_queue (what is missing) -> table_page (the pages of
tables) -> page (pictures, tables, the page).
"""
