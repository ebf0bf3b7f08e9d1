"""The gravel pile, poured through a server: `python3 -m talus.demo --out out`.

options (command line) -> pour (stepping and recording) -> pile, measures (angle of repose) -> drawing, results (files).
"""
