"""Pages of tables that programs print: end to end, and when runs are missing, kept, not built or timed."""

import re
import shutil

from conftest import FAST, FOLDER

from book.shelf import load_tables


def test_a_page_of_tables_end_to_end(shelf, tmp_path):
    shelf.put("good", FAST)
    path = shelf.put_table("pages", shelf.printed("first"), shelf.printed("second"))
    assert "pages: 2 runs, 2 to make, 2 s on one core" in shelf.book("--list")[1]
    code, said = shelf.book()
    assert code == 0, said
    text = path.read_text(encoding="utf-8")
    assert text.startswith("# A table\n\nPrinted by a test.\n")
    for name in ("first", "second"):
        section = text.split(f'<a id="{name}"></a>\n')[1].split("<a id=")[0]
        assert re.match(rf"## `\S+printer.py {name}`\n\nTook \d+ s. Made by \S+ `[0-9a-f]{{16}}`.\n\n\| a \| b \|\n\|---\|---\|\n"
                        rf"\| {name} \| 2 \|\n$", section.rstrip("\n") + "\n"), section
    page = shelf.page.read_text(encoding="utf-8")
    assert "- [A table](validation/pages.md): of a test\n" in page
    section = page.split('<a id="pages"></a>\n')[1].split("<a id=")[0]
    assert "first shows" in section and "second shows" in section and "[The complete table](validation/pages.md)" in section
    assert "## Claims" in page and "| steps | 100 | 100 | 0 | 0 |" in page

    said = shelf.book()[1]
    assert "pages: 2 runs, 0 to make" in said and "good: 1 runs, 0 to make" in said
    assert path.read_text(encoding="utf-8") == text and shelf.page.read_text(encoding="utf-8") == page


def test_a_table_without_runs_stays_on_its_page(shelf, tmp_path):
    shelf.put("good", FAST)
    path = shelf.put_table("pages", shelf.printed("first"), shelf.printed("second"))
    assert not path.exists() and shelf.book("--draw-only")[0] == 0 and not path.exists()
    assert shelf.book()[0] == 0
    text, page = path.read_text(encoding="utf-8"), shelf.page.read_text(encoding="utf-8")
    shutil.rmtree(tmp_path / "out/runs/pages")
    assert "pages: 2 runs, 2 to make" in shelf.book("--draw-only")[1]
    assert path.read_text(encoding="utf-8") == text and shelf.page.read_text(encoding="utf-8") == page

    # One that fails leaves the page too; one that is new shows that it is not run.
    shelf.put_table("pages", shelf.printed("first"), shelf.printed("second"), shelf.printed("fail"))
    (tmp_path / "printer.py").write_text("import sys\nsys.exit('as asked')\n", encoding="utf-8")
    code, said = shelf.book()
    assert code == 1 and "pages fail " in said and "exit code 1: as asked" in said
    assert path.read_text(encoding="utf-8").startswith(text.rstrip("\n"))
    assert path.read_text(encoding="utf-8").endswith("printer.py fail`\n\nNot run.\n")
    shelf.book("--draw-only")
    assert "fail shows" not in shelf.page.read_text(encoding="utf-8")


def test_a_table_that_takes_long_is_kept_on_its_page(shelf, tmp_path):
    shelf.put("good", FAST)
    path = shelf.put_table("pages", shelf.printed("first"), keeps=True)
    assert shelf.book()[0] == 0
    shutil.rmtree(tmp_path / "out/runs/pages")
    assert "pages: 1 runs, 0 to make" in shelf.book("--list")[1]
    assert "pages: 1 runs, 0 to make" in shelf.book("--renew", "--list")[1]
    text = path.read_text(encoding="utf-8")
    path.write_text(re.sub("Made by (.*) `.*`", r"Made by \1 `another`", text), encoding="utf-8")
    assert "pages: 1 runs, 0 to make" in shelf.book("--list")[1]
    assert "pages: 1 runs, 1 to make" in shelf.book("--renew", "--list")[1]
    # Another command is another run.
    shelf.put_table("pages", shelf.printed("first").replace("'first')", "'first', 'more')"), keeps=True)
    assert "pages: 1 runs, 1 to make" in shelf.book("--list")[1]


def test_a_table_whose_program_is_not_built_stays_and_is_named(shelf):
    shelf.put("good", FAST)
    path = shelf.put_table("pages", 'Run("first", ("no_such_program",), 1.0, option="", alone=True)')
    path.parent.mkdir(parents=True)
    path.write_text('# A table\n\nPrinted by a test.\n\n<a id="first"></a>\n## `no_such_program`\n\n| a |\n|---|\n', encoding="utf-8")
    text = path.read_text(encoding="utf-8")
    code, said = shelf.book()
    assert code == 0 and "pages: 1 runs, 0 to make" in said
    assert "pages first: no_such_program is not built; the page stays as it is" in said
    assert path.read_text(encoding="utf-8") == text


def test_timed_runs_are_made_alone_and_after_the_others(shelf, tmp_path):
    beside = [shelf.printed(name, option="--out", alone=False) for name in ("fast", "beside", "third")]
    shelf.put("good", shelf.printed("timed", option="--out"), *beside)
    shelf.put_table("pages", shelf.printed("first"), shelf.printed("second"))
    code, said = shelf.book("--jobs", "3")
    assert code == 0, said
    log = (tmp_path / "log").read_text(encoding="utf-8").split("\n")[:-1]
    assert log[:2] == ["begin timed", "end timed"]
    assert [line.split()[0] for line in log[2:5]] == ["begin"] * 3  # the others at once
    assert log[8:] == ["begin first", "end first", "begin second", "end second"]


def test_runs_of_tables_that_are_not_timed_are_made_first_and_the_longest_before_the_others(shelf, tmp_path):
    shelf.put("good", shelf.printed("fast", option="--out", alone=False))
    shelf.put_table("pages", shelf.printed("short", alone=False), shelf.printed("long", alone=False).replace("1.0", "9.0"))
    code, said = shelf.book("--jobs", "1")
    assert code == 0, said
    log = (tmp_path / "log").read_text(encoding="utf-8").split("\n")[:-1]
    assert [line for line in log if line.startswith("begin")] == ["begin long", "begin short", "begin fast"]


def test_the_page_says_how_long_all_of_it_takes(shelf):
    shelf.put("good", FAST.replace(", 0.1)", ", 1000.0)"))
    shelf.put_table("pages", shelf.printed("first").replace("1.0", "600.0"))
    assert shelf.book("--only", "good")[0] == 0
    # The claims and the table are not run: 150 s and 600 s as estimated.
    assert re.search(r"The whole book takes 1[23] min on one core, \d+ s of it measured and the rest estimated[.]",
                     shelf.page.read_text(encoding="utf-8"))
    assert shelf.book()[0] == 0
    text = shelf.page.read_text(encoding="utf-8")
    assert re.search(r"The whole book takes 1\d\d s|The whole book takes [23] min", text) and "Took 0 s on one core" in text


def test_the_summary_of_solvers_names_the_quickest_and_who_fails():
    table = next(table for table in load_tables(FOLDER / "tables") if table.name == "solvers")
    assert table.summary({}) == ""
    text = table.summary({"solver-table": """## `talus_solver_table`

### Bare problems

| problem | contacts | law | solver | 1e-2 | 1e-4 | 1e-6 | 1e-8 |
|---|---|---|---|---|---|---|---|
| pile | 5 | NCP | quick | 9 / 0.5 | 20 / 2 | – (2.0e-05, limit at 5000) | – |
| pile | 5 | NCP | steady | 3 / 1 | 4 / 1.5 | 5 / 1e+03 | – (3.0e-07, stalled at 70) |
| pile | 5 | CCP | sure | 3 / 1 | 4 / 2 | 5 / 3 | 6 / 4 |
| pile | 5 | CCP | slow | – (5.0e-01) | – | – | – |
| pile | 5 | bristle | lemke | – (1.0e+00, ray at 7) | – | – | – |
| pile | 5 | bristle | block_pivoting | – (5.0e-01, too large at 0) | – | – | – |
| pile | 5 | bristle | blunt | 3 / 1 | – (4.9e-01) | – | – |
| pile | 5 | box | singular | – (4.9e-01, singular at 3) | – | – | – |

Pairs of solver and law that do not exist:

- quick: none under CCP; solves NCP only

### Steps of scenes

| problem | contacts | law | solver | 1e-2 | 1e-4 | 1e-6 | 1e-8 |
|---|---|---|---|---|---|---|---|
| heap | 7 | NCP | sweeps | refused | – | – | – |
| heap | 7 | NCP | newton | 3 / 1 | 4 / 2 | 5 / 3 | 6 / 4 |
| heap | 7 | CCP | sure | 3 / 1 | 4 / 2 | 5 / 3 | 6 / 4 |
| heap | 7 | box | lemke | refused | – | – | – |
"""})
    assert "| pile | 5 | NCP | quick 9 / 0.5 | steady 4 / 1.5 | steady 5 / 1e+03 | – | quick (2.0e-05), steady (3.0e-07, stalled at 70) |\n" in text
    assert "| pile | 5 | CCP | sure 3 / 1 | sure 4 / 2 | sure 5 / 3 | sure 6 / 4 | slow (5.0e-01) |\n" in text
    assert "| pile | 5 | bristle | blunt 3 / 1 | – | – | – | lemke (no answer), block_pivoting (too large), blunt (4.9e-01) |\n" in text
    assert "| pile | 5 | box | – | – | – | – | singular (4.9e-01, singular at 3) |\n" in text
    assert "| heap | 7 | CCP | sure 3 / 1 | sure 4 / 2 | sure 5 / 3 | sure 6 / 4 | all do |\n" in text
    assert "| heap | 7 | NCP | newton 3 / 1 | newton 4 / 2 | newton 5 / 3 | newton 6 / 4 | sweeps (refused) |\n" in text
    assert "| heap | 7 | box | refused | – | – | – | all refused |\n" in text
    assert text.index("### Bare problems") < text.index("| pile |") < text.index("### Steps of scenes") < text.index("| heap |")
