"""The validation book: runs every figure of tests/validation/figures, draws it, and writes docs/VALIDATION.md.

options (command line) -> shelf (which figures) -> run_queue (what is missing) -> page (pictures, tables, the page).
"""
