"""How long a file and a function may be. A file that outgrows the cap is missing a noun to be split by.

C++ functions are found by their braces, which is exact for code that clang-format has formatted and that keeps
unbalanced braces out of macros; Python functions by the parser.
"""

import ast
import re
from typing import Iterator, List, Tuple

from tree import CPP_SUFFIXES, Problem, Tree, is_test

FILE_CAP = 400
TEST_FILE_CAP = 500
FUNCTION_CAP = 70

_BLANKED = re.compile(
    r'//[^\n]*|/\*.*?\*/|R"(\w*)\(.*?\)\1"|"(?:\\.|[^"\\\n])*"|(?<![0-9A-Za-z])\'(?:\\.|[^\'\\\n])\'', re.DOTALL)
_NOT_A_FUNCTION = re.compile(r"^\s*(?:namespace|class|struct|union|enum|extern|static_assert)\b")
_CONTROL = re.compile(r"\b(?:if|for|while|switch|do|else|try|catch)\b[^;{}]*$")


def problems(tree: Tree) -> List[Problem]:
    found = []
    for path in tree.code():
        text = tree.read(path)
        cap = TEST_FILE_CAP if is_test(path) else FILE_CAP
        length = text.count("\n")
        if length > cap:
            found.append(Problem(path, 0, f"{length} lines, at most {cap}: split it by noun"))
        functions = cpp_functions(text) if path.endswith(CPP_SUFFIXES) else \
            python_functions(text) if path.endswith(".py") else ()
        for start, lines in functions:
            if lines > FUNCTION_CAP:
                found.append(Problem(path, start, f"a function of {lines} lines, at most {FUNCTION_CAP}"))
    return found


def cpp_functions(text: str) -> Iterator[Tuple[int, int]]:
    """(first line, line count) of every outermost function body with its signature."""
    code = _BLANKED.sub(lambda match: re.sub(r"[^\n]", " ", match.group()), text)
    code = re.sub(r"(?m)^\s*#(?:[^\n]*\\\n)*[^\n]*", lambda match: re.sub(r"[^\n]", " ", match.group()), code)
    depth = 0
    function_depth = 0  # depth at which the current function opened; 0 when outside of one
    function_start = 0
    statement_start = 0
    for match in re.finditer(r"[{};]", code):
        at = match.start()
        if match.group() == "{":
            depth += 1
            head = code[statement_start:at]
            if not function_depth and _opens_function(head):
                function_depth = depth
                function_start = statement_start + len(head) - len(head.lstrip())
        elif match.group() == "}":
            if depth and depth == function_depth:
                first = code.count("\n", 0, function_start) + 1
                yield first, code.count("\n", 0, at) + 2 - first
                function_depth = 0
            depth = max(0, depth - 1)
        statement_start = at + 1


def _opens_function(head: str) -> bool:
    head = re.sub(r"^\s*(?:public|private|protected):", "", head.strip())
    if ")" not in head or _NOT_A_FUNCTION.match(head) or _CONTROL.search(head):
        return False
    return True


def python_functions(text: str) -> Iterator[Tuple[int, int]]:
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
            yield node.lineno, node.end_lineno - node.lineno + 1
