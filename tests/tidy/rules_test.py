"""The tidy rules themselves: what each must find in a small tree, and what it must let pass."""

import contextlib
import io
import json
import pathlib
import shutil
import tempfile
import unittest

import compile_commands
import essays
import formatting
import headers
import layering
import links
import private_names
import proto_breaking
import proto_lint
import shell_scripts
import sizes
import thread_safety
import wording
from tree import Missing, Tree

ESSAY = "// " + "A noun that says where it stands, what it promises and what it does not know. " * 2 + "\n#pragma once\n"


class RulesTest(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.root = pathlib.Path(folder.name)

    def tree(self, **files):
        """A tree of {path with __ for / and _dot_ for .: text}."""
        for name, text in files.items():
            path = self.root / name.replace("__", "/").replace("_dot_", ".")
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text)
        return Tree(self.root)

    def found(self, rule, **files):
        return [str(problem) for problem in rule.problems(self.tree(**files))]

    def test_layering_lets_arrows_inward_pass(self):
        self.assertEqual(self.found(
            layering,
            solver__solvers__psor_dot_cc='#include "solver/contact/contact_problem.h"\n#include <vector>\n',
            server__rpc__reactor_dot_h='#include <grpcpp/grpcpp.h>\n#include "server/wire/scene.h"\n',
            server__telemetry__log_dot_cc="#include <spdlog/spdlog.h>\n",
            tests__unit__a_dot_cc='#include "solver/state/body_store.h"\n'), [])

    def test_layering_names_the_line_of_an_arrow_outward(self):
        for path, include in (
                ("solver__base__a_dot_h", '"solver/scene/shape.h"'),
                ("solver__solvers__a_dot_cc", '"solver/world/world.h"'),
                ("solver__contact__a_dot_cc", '"solver/scene/body_def.h"'),
                ("solver__state__a_dot_cc", '"solver/collision/aabb.h"'),
                ("solver__world__a_dot_cc", "<spdlog/spdlog.h>"),
                ("solver__world__b_dot_cc", "<iostream>"),
                ("solver__contact__b_dot_cc", "<tbb/parallel_for.h>"),
                ("server__runtime__a_dot_cc", "<grpcpp/grpcpp.h>"),
                ("server__session__a_dot_cc", '"talus/v1/scene.pb.h"'),
                ("server__wire__a_dot_cc", '"server/runtime/executor.h"'),
                ("server__rpc__a_dot_cc", '"solver/world/world.h"'),
                ("clients__cpp__a_dot_cc", '"solver/base/math.h"'),
                ("solver__unheard__a_dot_cc", '"solver/base/math.h"'),
                ("server__stream__a_dot_cc", '"frame.h"')):
            with self.subTest(path=path, include=include):
                found = self.found(layering, **{path: f"// first\n#include {include}\n"})
                (self.root / path.replace("__", "/").replace("_dot_", ".")).unlink()
                self.assertEqual(len(found), 1, found)
                self.assertIn(":2: ", found[0])

    def test_the_solver_never_prints(self):
        self.assertEqual(self.found(layering, solver__base__check_dot_cc='std::fprintf(stderr, "");\n',
                                    solver__base__text_dot_cc="std::snprintf(text, 9, format);  // no printf(\n"), [])
        self.assertEqual(len(self.found(layering, solver__world__a_dot_cc="\n  std::printf(format);\n")), 1)

    def test_sizes(self):
        self.assertEqual(self.found(sizes, solver__base__a_dot_cc="\n" * 400, tests__unit__a_dot_cc="\n" * 500), [])
        self.assertEqual(len(self.found(sizes, solver__base__a_dot_cc="\n" * 401, tests__unit__a_dot_cc="\n" * 501)), 2)

    def test_cpp_functions_are_measured_with_their_signature(self):
        text = ('namespace talus {\nstruct Box {\n  int side() const { return 1; }\n};\n\n'
                'int Longest(int a,\n            int b) {\n  if (a) {\n    return \'{\';\n  }\n'
                '  auto f = [&](int c) {\n    return c; // }\n  };\n  return f(b);\n}\n\n}  // namespace talus\n')
        self.assertEqual(list(sizes.cpp_functions(text)), [(3, 1), (6, 10)])

    def test_long_functions_are_found(self):
        body = "  x += 1;\n" * 69
        self.assertEqual(len(self.found(sizes, solver__a_dot_cc=f"void F() {{\n{body}}}\n")), 1)
        self.assertEqual(self.found(sizes, solver__a_dot_cc=f"void F() {{\n{body[10:]}}}\n"), [])
        body = "    x = 1\n" * 70
        self.assertEqual(len(self.found(sizes, clients__a_dot_py=f"def f():\n{body}")), 1)

    def test_wording(self):
        self.assertEqual(self.found(wording, solver__a_dot_cc="// The hacksaw is in /usr/bin and common sense.\n"), [])
        for text in ("// TO" "DO: later", "// good enough for" " now", 'path = "/wo' 'rk/main"'):
            self.assertEqual(len(self.found(wording, solver__a_dot_cc=text + "\n")), 1, text)
        (self.root / "solver/a.cc").write_text("\n")
        self.assertEqual(len(self.found(wording, solver__math_utils_dot_cc="\n")), 1)
        self.assertEqual(len(self.found(wording, cmake__flags_dot_cmake="add_compile_options(-ffast-" "math)\n")), 2)

    def test_essays(self):
        self.assertEqual(self.found(essays, solver__a_dot_h=ESSAY), [])
        self.assertEqual(len(self.found(essays, solver__b_dot_h="// Short.\n#pragma once\n")), 1)
        self.assertEqual(len(self.found(essays, solver__b_dot_h=ESSAY.replace("#pragma once", "#ifndef B"))), 1)
        toggle = ESSAY.replace("#pragma once", "#if defined(C_H) == defined(HWY_TARGET_TOGGLE)")
        (self.root / "solver/b.h").write_text(ESSAY)
        self.assertEqual(self.found(essays, **{"solver__c-inl_dot_h": toggle}), [])
        self.assertEqual(len(self.found(essays, **{"solver__d-inl_dot_h": ESSAY})), 1)

    def test_links(self):
        self.assertEqual(self.found(links, docs__a_dot_md="[b](b.md#part) [c](../c.md) [d](https://d.org) `[e](e)`\n",
                                    docs__b_dot_md="\n", c_dot_md="\n"), [])
        self.assertEqual(len(self.found(links, docs__a_dot_md="text\n![picture](pile.png)\n")), 1)

    def test_headers_proved_by_their_own_source_are_not_compiled_again(self):
        tree = self.tree(server__rpc__a_dot_h=ESSAY, server__rpc__a_dot_cc='// A.\n#include "server/rpc/a.h"\n#include <vector>\n',
                         server__rpc__b_dot_h=ESSAY, server__rpc__b_dot_cc='#include <vector>\n#include "server/rpc/b.h"\n',
                         server__rpc__c_dot_h=ESSAY)
        self.assertEqual(headers.unproved(tree, {"server/rpc/a.cc", "server/rpc/b.cc"}),
                         ["server/rpc/b.h", "server/rpc/c.h"])

    def test_only_headers_that_bring_services_find_them_read_already(self):
        include = ESSAY + '#include "%s"\n'
        tree = self.tree(server__rpc__a_dot_h=include % "server/rpc/b.h", server__rpc__b_dot_h=include % "talus/v1/scene.pb.h",
                         server__rpc__c_dot_h=include % "server/rpc/d.h", server__rpc__d_dot_h=include % "server/rpc/c.h")
        self.assertEqual([headers.brings_services(tree, f"server/rpc/{name}.h", {}) for name in "abcd"],
                         [True, True, False, False])

    @unittest.skipUnless(shutil.which("clang++") or shutil.which("clang++-14"), "clang++ is not installed")
    def test_headers_that_do_not_compile_alone_are_found(self):
        whole = ESSAY + "#include <string>\ninline std::string Word() { return {}; }\n"
        torn = ESSAY + "inline std::string Word() { return {}; }\n"
        named_first = '#include "server/rpc/%s.h"\n'
        tree = self.tree(
            server__rpc__alone_dot_h=torn, server__rpc__alone_dot_cc=named_first % "alone",
            server__rpc__united_dot_h=torn, server__rpc__united_dot_cc=named_first % "united",
            server__rpc__whole_dot_h=whole, server__rpc__whole_dot_cc=named_first % "whole",
            # Another build compiles this one by itself.
            solver__base__built_dot_h=torn, solver__base__built_dot_cc=named_first.replace("server/rpc", "solver/base") % "built")
        united = self.root / "build/Unity/unity_0_cxx.cxx"
        united.parent.mkdir(parents=True)
        united.write_text("".join(f'#include "{self.root}/server/rpc/{name}.cc"\n' for name in ("whole", "united")))
        (self.root / "build/compile_commands.json").write_text(json.dumps(
            [{"directory": "/b", "file": str(file), "command": f"g++ -std=c++20 -c {file}"}
             for file in (united, self.root / "server/rpc/alone.cc")]))
        commands = compile_commands.CompileCommands(self.root / "build", self.root)
        self.assertEqual([problem.path for problem in headers.problems(tree, commands)], ["server/rpc/united.h"])

    @unittest.skipUnless(shutil.which("clang++") or shutil.which("clang++-14"), "clang++ is not installed")
    def test_what_is_read_without_its_lock_is_found(self):
        text = ('struct __attribute__((capability("mutex"))) Mutex {\n  void lock() __attribute__((acquire_capability()));\n'
                '  void unlock() __attribute__((release_capability()));\n};\nstruct Count {\n  Mutex mutex;\n'
                '  int value __attribute__((guarded_by(mutex))) = 0;\n};\nint Read(Count& count) {\n%s}\n')
        tree = self.tree(server__runtime__locked_dot_cc=text % "  count.mutex.lock();\n  const int value = count.value;\n"
                                                               "  count.mutex.unlock();\n  return value;\n",
                         server__runtime__torn_dot_cc=text % "  return count.value;\n",
                         server__session__united_dot_cc=text % "  return count.value + 1;\n")
        united = self.root / "build/Unity/unity_0_cxx.cxx"
        united.parent.mkdir(parents=True)
        united.write_text(f'#include "{self.root}/server/session/united.cc"\n')
        (self.root / "build/compile_commands.json").write_text(json.dumps(
            [{"directory": "/b", "file": str(path), "command": f"g++ -std=c++20 -Wall -c {path}"}
             for path in (self.root / "server/runtime/locked.cc", self.root / "server/runtime/torn.cc", united)]))
        commands = compile_commands.CompileCommands(self.root / "build", self.root)
        found = sorted(thread_safety.problems(tree, commands), key=lambda problem: problem.path)
        self.assertEqual([(problem.path, problem.line) for problem in found],
                         [("server/runtime/torn.cc", 10), ("server/session/united.cc", 10)])
        for problem in found:
            self.assertIn("reading variable 'value' requires holding mutex", str(problem))

    def test_the_build_that_headers_counts_on_compiles_files_one_by_one(self):
        presets = json.loads((pathlib.Path(__file__).resolve().parents[2] / "CMakePresets.json").read_text())
        [fuzz] = [preset for preset in presets["configurePresets"] if preset["name"] == "fuzz"]
        self.assertEqual(fuzz["cacheVariables"]["TALUS_UNITY"], "OFF")

    def test_compile_commands_leave_out_launchers_and_look_into_what_is_compiled_together(self):
        united = self.root / "build/t.dir/Unity/unity_0_cxx.cxx"
        united.parent.mkdir(parents=True)
        united.write_text(f'/* generated */\n#include "{self.root}/tests/b.cc"\n#include "{self.root}/tests/c.cc"\n')
        database = [
            {"directory": "/b", "file": str(self.root / "solver/a.cc"), "command": "ccache g++ -Ione -O3 -DA -c a.cc"},
            {"directory": "/b", "file": str(united), "command": f"g++ -include kept.h -std=c++20 -c {united}"}]
        (self.root / "compile_commands.json").write_text(json.dumps(database))
        commands = compile_commands.CompileCommands(self.root, self.root).by_path
        first = compile_commands.Command("g++", ("-include", "kept.h", "-std=c++20"), False)  # nothing before it
        self.assertEqual(commands, {"solver/a.cc": compile_commands.Command("g++", ("-Ione", "-DA"), False),
                                    "tests/b.cc": first, "tests/c.cc": first._replace(united=True)})

    def test_private_names(self):
        space = "namespace {\n\n%s\n}  // namespace\n"
        self.assertEqual(self.found(
            private_names,
            solver__a__one_dot_cc=space % "constexpr int kOne = 1;\nusing Clock = Steady;\nint Get(int a) {\n  int kTwo = a;\n}\n",
            solver__a__two_dot_cc=space % "constexpr int kTwo = 1;\nusing Clock = Steady;\nusing testing::Get;\n",
            solver__b__one_dot_cc=space % "constexpr int kOne = 1;\n",
            solver__a__main_dot_cc=space % "constexpr int kOne = 1;\n" + "int main() {}\n"), [])
        for again in ("double kOne = 2;", "struct kOne {\n  int a;\n};", "using Clock = Other;", "double Get(double a) {\n}",
                      "absl::StatusOr<std::vector<int>> Get() {\n}", "enum class kOne { kA };"):
            (self.root / "solver/a/two.cc").write_text(space % f"{again}\n")
            found = private_names.problems(Tree(self.root))
            self.assertEqual([(problem.path, problem.line) for problem in found], [("solver/a/two.cc", 3)], again)

    def test_formatting(self):
        try:
            formatting.formatter()
        except Missing as missing:
            self.skipTest(str(missing))
        (self.root / ".clang-format").write_text("BasedOnStyle: Google\n")
        self.assertEqual(self.found(formatting, solver__a_dot_cc="int a = 1;\n"), [])
        self.assertEqual(len(self.found(formatting, solver__a_dot_cc="int   a=1;\n")), 1)

    def test_what_was_published_stays(self):
        try:
            proto_lint.buf()
        except Missing as missing:
            self.skipTest(str(missing))
        schema = 'syntax = "proto3";\npackage a.v1;\nmessage A {\n  int32 one = 1;\n%s}\n'
        ours = 'version: v2\nbreaking:\n  use:\n    - FILE\n'
        self.tree(proto__buf_dot_yaml=ours, proto__a__v1__a_dot_proto=schema % "")
        said = [str(problem) for problem in proto_breaking.problems(Tree(self.root))]
        self.assertEqual(said, ["proto/published.binpb: is gone"])
        self.assertEqual(proto_breaking.publish(self.root / "proto"), 0)
        self.assertEqual(proto_breaking.problems(Tree(self.root)), [])
        more = self.tree(proto__a__v1__a_dot_proto=schema % "  int32 two = 2;\n")
        self.assertIn("lacks what was added", str(proto_breaking.problems(more)[0]))
        self.assertEqual(proto_breaking.publish(self.root / "proto"), 0)
        for broken in ("", "  string two = 2;\n", "  int32 two = 3;\n"):
            tree = self.tree(proto__a__v1__a_dot_proto=schema % broken)
            self.assertIn("breaks what was published", str(proto_breaking.problems(tree)[0]), broken)
            with contextlib.redirect_stderr(io.StringIO()) as told:
                self.assertEqual(proto_breaking.publish(self.root / "proto"), 1)
            self.assertIn("a/v1/a.proto", told.getvalue())

    def test_shell_scripts(self):
        good = "#!/usr/bin/env bash\nset -euo pipefail\necho hello\n"
        tree = self.tree(deploy__a_dot_sh=good)
        (self.root / "deploy/a.sh").chmod(0o755)
        self.assertEqual(shell_scripts.problems(tree), [])
        (self.root / "deploy/a.sh").write_text("#!/usr/bin/env bash\nset -euo pipefail\nif true; then\n")
        self.assertTrue(shell_scripts.problems(tree))
        (self.root / "deploy/a.sh").write_text(good.replace("set -euo pipefail\n", ""))
        self.assertEqual(len(shell_scripts.problems(tree)), 1)


if __name__ == "__main__":
    unittest.main()
