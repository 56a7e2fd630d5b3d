#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""tools/sanitize_device, without a GPU: test_sanitize_device.py SCRIPT

Programs and compute-sanitizer are stand-ins, in a folder as Meson leaves it but for its name."""

import json
import os
import pathlib
import signal
import subprocess
import sys
import time
import unittest

from scratch import Scratch

BUILT_IN = "/no/such/build"
# Seconds in which all but a slow test are through, on a busy machine too; a slow one takes longer than a call may.
ENOUGH = "5"

# A program of Criterion, as far as the script sees it: it names the library, lists what it has, and runs what it is
# told, as it does in one process. Where launches are noted, its tests have a kernel each, and one that the first leaves sooner
# than the others.
CRITERION = """#!/bin/sh
# libcriterion
case $1 in
--list) printf 'good: 2 tests\\n|-- one\\n`-- other\\nbad: 1 test\\n`-- %s\\n' "${BAD:-race}"; exit 0;;
esac
case $LD_PRELOAD in */tests/libone_process.so) ;; *) exit 4;; esac
case $CUDA_INJECTION64_PATH in
*/tests/liblaunched.so) echo "of_${1#*/} shared" >"$LAUNCHED"; [ $1 = good/one ] || sleep 1; exit 0;;
esac
echo "$* part ${SPRY_TEST_PART:-all} brief $SPRY_TEST_BRIEF on $SPRY_TEST_BACKEND" >>"$LOG"
for test; do
    case $test in
    */slow) sleep 600 & echo $! >"$LOG.child"; sleep 600;;
    */crash) exit 3;;
    */fails) echo "../tests/solve.c:9: 1 is not 2"; echo "../tests/solve.c:10: and more"; exit 1;;
    */skips) echo "skipped: no reason"; exit 77;;
    */none) echo "Tested: 0"; exit 0;;
    esac
    echo "passed $test, 0.01 s"
done
echo "Tested: $#"
"""
PLAIN = "#!/bin/sh\necho plain part ${SPRY_TEST_PART:-all} >>$LOG\n"
NO_DEVICE = "#!/bin/sh\n# libcriterion\necho 'skipped: no device'; exit 77\n"
# It says what it was called with, and finds something in race under racecheck. A process that it forks is one too.
SANITIZER = """#!/bin/sh
[ "$1 $3 $4 $5 $6" = "--tool --target-processes all --error-exitcode 99" ] || exit 98
tool=$2; shift 6
case $tool in
memcheck) [ "$1 $2" = "--report-api-errors no" ] || exit 98; shift 2;;
racecheck) [ "$1 $2" = "--racecheck-num-workers 1" ] || exit 98; shift 2;;
esac
kernels=
while [ $1 = --kernel-name ]; do kernels="$kernels $2"; shift 2; done
if [ $1 = --launch-count ]; then kernels="$kernels, first $2"; shift 2; fi
[ -z "$kernels" ] || echo "$2 looks at$kernels" >>"$LOG"
"$@" || exit $?
echo "========= ERROR SUMMARY: 0 errors"
case "$tool $*" in
*/silent) exit 0;;
racecheck*/race) case "$kernels" in ""|*kne=of_race*) ;; *) exit 0;; esac
    echo "========= Error: Race reported between Write access at kernel+0x10"
    echo "=========     and Read access at kernel+0x20 [8 hazards]"
    echo "========= RACECHECK SUMMARY: 2 hazards displayed (2 errors, 0 warnings)"; exit 99;;
racecheck*) echo "========= RACECHECK SUMMARY: 0 hazards displayed (0 errors, 0 warnings)";;
esac
"""
UNSEEN = '#!/bin/sh\nshift 8\n"$@"\n'


def runs(process):
    """Whether a process is there and does not just wait for somebody to ask how it ended."""
    try:
        return pathlib.Path("/proc", process, "stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


class SanitizeDevice(Scratch):
    def setUp(self):
        super().setUp()
        self.build, self.log = pathlib.Path(self.folder, "moved"), pathlib.Path(self.folder, "log")
        for name in ("bin", "moved/meson-info", "moved/tests", "moved/src"):
            os.makedirs(os.path.join(self.folder, name))
        self.program("bin/compute-sanitizer", SANITIZER)
        self.program("moved/src/libspry.so.0", "the library")
        self.program("moved/tests/libone_process.so", "")
        self.program("moved/tests/liblaunched.so", "")
        self.program("moved/tests/test_solve", CRITERION)
        self.describe(("solve on cuda", "tests/test_solve"))  # of which each test is a piece

    def program(self, name, text):
        os.chmod(self.file(name, text), 0o755)

    def describe(self, *tests, others=()):
        described = [{"name": name, "cmd": [f"{BUILT_IN}/{program}"], "suite": ["spry:cuda"],
                      "env": {"SPRY_TEST_BACKEND": "cuda", "LD_LIBRARY_PATH": BUILT_IN + "/src"}}
                     for name, program in tests]
        described += [{"name": "unit", "cmd": [f"{BUILT_IN}/tests/test_solve"], "suite": ["spry:unit"], "env": {}}]
        described += [{"name": name, "cmd": ["/usr/bin/python3"], "suite": ["spry:cuda"], "env": {}} for name in others]
        described += [{"name": "needs no device", "cmd": [f"{BUILT_IN}/tests/test_solve"], "suite": ["spry:cuda"],
                       "env": {}}]
        self.file("moved/meson-info/intro-tests.json", json.dumps(described))
        self.file("moved/meson-info/meson-info.json", json.dumps({"directories": {"build": BUILT_IN}}))

    def environment(self):
        """Without what the tests around this one are asked for."""
        outer = {name: value for name, value in os.environ.items() if not name.startswith("SPRY_")}
        return {**outer, "PATH": os.path.join(self.folder, "bin") + ":" + os.environ["PATH"], "LOG": str(self.log)}

    def run_script(self, *arguments, **environment):
        self.log.write_text("")
        done = subprocess.run([sys.executable, SCRIPT, str(self.build), *arguments], capture_output=True, text=True,
                              timeout=60, env={**self.environment(), **environment})
        self.ran = sorted(self.log.read_text().splitlines())
        return done

    def test_clean_and_complete(self):
        self.describe(("solve on cuda", "tests/test_solve"), ("large on cuda", "tests/test_solve"), others=("nccl_cg",))
        done = self.run_script("--tools", "memcheck,synccheck")
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        self.assertEqual(self.ran, sorted(2 * [f"{name} part all brief few on cuda"
                                               for name in ("bad/race", "good/one", "good/other")]))
        self.assertRegex(done.stdout, r"\n +memcheck +synccheck\nsolve +\d s +\d s\n")
        self.assertIn("\n6 pieces: 6 clean\n", done.stdout)
        self.assertIn("left out: large on cuda, nccl_cg, needs no device\n", done.stdout)

    def test_what_was_clean_is_not_run_again(self):
        self.run_script("--tools", "memcheck", "--only", "solve 0/*", "--only", "solve 1/*")
        done = self.run_script("--tools", "memcheck")
        self.assertEqual((done.returncode, len(self.ran)), (0, 1))
        self.assertIn("3 pieces: 3 clean", done.stdout)
        self.program("moved/src/libspry.so.0", "another library")
        self.run_script("--tools", "memcheck")
        self.assertEqual(len(self.ran), 3)

    def test_results_name_the_commit(self):
        self.file("moved/tests/commit", "# how it is licensed\n0123456789ab-dirty\n")
        done = self.run_script("--tools", "memcheck")
        results = [json.loads(line) for line in (self.build / "sanitize/results.jsonl").read_text().splitlines()]
        self.assertEqual([result["commit"] for result in results], 3 * ["0123456789ab-dirty"])
        self.assertIn("\nbuilt from 0123456789ab-dirty\n", done.stdout)
        os.remove(self.build / "tests/commit")
        done = self.run_script("--tools", "memcheck,synccheck")
        self.assertIn("\nbuilt from 0123456789ab-dirty, unknown\n", done.stdout)

    def test_errors_are_found_and_run_again(self):
        for _ in range(2):
            done = self.run_script()
            self.assertEqual(done.returncode, 1)
            self.assertIn("bad/race part all brief few on cuda", self.ran)
            self.assertRegex(done.stdout, r"solve +\d s +3 of 4 +\d s +\d s\n")
            self.assertIn("13 pieces: 12 clean, 1 errors", done.stdout)
            self.assertIn("racecheck solve bad/race of_race: 2 errors, the first: Error: Race reported between Write access at "
                          "kernel+0x10, ", done.stdout)
            log = self.build / "sanitize/racecheck-solve-bad-race-of_race.log"
            self.assertIn("2 hazards", log.read_text())
        self.assertEqual(self.ran, ["bad/race looks at kne=of_race, first 20", "bad/race part all brief few on cuda"])

    def test_racecheck_looks_at_each_kernel_in_the_shortest_test(self):
        done = self.run_script("--tools", "racecheck", "--launches", "3", BAD="tidy")
        self.assertEqual(done.returncode, 0)
        self.assertEqual([line for line in self.ran if "looks" in line],
                         ["bad/tidy looks at kne=of_tidy, first 3", "good/one looks at kne=of_one, first 3",
                          "good/one looks at kne=shared, first 3", "good/other looks at kne=of_other, first 3"])
        self.assertIn("4 pieces: 4 clean", done.stdout)
        done = self.run_script("--tools", "racecheck", "--table", "--launches", "3", BAD="tidy")
        self.assertIn("4 pieces: 4 clean", done.stdout)
        # What was clean in some of its launches is looked at again in more.
        done = self.run_script("--tools", "racecheck", "--launches", "4", BAD="tidy")
        self.assertIn("good/one looks at kne=shared, first 4", self.ran)

    def test_kernels_that_are_not_known_yet_are_not_run(self):
        done = self.run_script("--tools", "racecheck", "--table")
        self.assertEqual((done.returncode, self.ran), (2, []))
        self.assertIn("1 pieces: 1 not run", done.stdout)

    def test_racecheck_looks_at_what_it_fails_without_as_well(self):
        self.run_script("--tools", "racecheck", BAD="resident_system")
        self.assertEqual([line for line in self.ran if "bad/resident_system looks" in line],
                         ["bad/resident_system looks at kne=of_resident_system"])

    def test_racecheck_can_look_at_all(self):
        done = self.run_script("--tools", "racecheck", "--launches", "0")
        self.assertEqual(done.returncode, 1)
        self.assertEqual([line for line in self.ran if "looks" in line], [])
        self.assertIn("3 pieces: 2 clean, 1 errors", done.stdout)

    def test_racecheck_without_what_notes_launches(self):
        self.program("moved/tests/test_solve", CRITERION.replace(">\"$LAUNCHED\"", ">/dev/null"))
        done = self.run_script("--tools", "racecheck")
        self.assertEqual(done.returncode, 1)
        self.assertIn("noted no kernel", done.stderr)
        os.remove(self.build / "tests/liblaunched.so")
        done = self.run_script("--tools", "racecheck")
        self.assertEqual(done.returncode, 1)
        self.assertIn("liblaunched.so", done.stderr)

    def test_what_takes_too_long_is_ended_with_all_that_it_started(self):
        began = time.monotonic()
        done = self.run_script("--limit", ENOUGH, "--tools", "memcheck", BAD="slow")
        self.assertLess(time.monotonic() - began, 30)
        self.assertEqual(done.returncode, 2)
        self.assertIn(f"unfinished: broken off after {ENOUGH} s, 0 tests passed", done.stdout)
        self.assertIn("3 pieces: 2 clean, 1 unfinished", done.stdout)
        self.assertFalse(runs(self.child()), "its child runs on")

    def lines(self, path, count, missing):
        """The lines of a file, once it has so many."""
        end = time.monotonic() + 30
        while not path.exists() or path.read_text().count("\n") < count:
            self.assertLess(time.monotonic(), end, missing)
            time.sleep(0.02)
        return path.read_text().splitlines()

    def child(self):
        """The process that a slow test started, once it did."""
        return self.lines(pathlib.Path(self.folder, "log.child"), 1, "no slow test began")[0]

    def test_it_can_be_stopped(self):
        for number in (signal.SIGINT, signal.SIGTERM):
            pathlib.Path(self.folder, "log.child").unlink(missing_ok=True)
            script = subprocess.Popen([sys.executable, SCRIPT, str(self.build), "--tools", "memcheck", "--jobs", "3"],
                                      stdout=subprocess.PIPE, text=True, env={**self.environment(), "BAD": "slow"})
            child = self.child()
            self.lines(self.build / "sanitize/results.jsonl", 2, "the others were not done")
            script.send_signal(number)
            said, _ = script.communicate(timeout=30)
            self.assertEqual(script.returncode, 2)
            self.assertIn("stopped; the next call goes on", said)
            self.assertRegex(said, r"solve +2 of 3\n")
            self.assertFalse(runs(child), "its child runs on")

    def test_the_rest_is_left_for_another_time(self):
        done = self.run_script("--for", ENOUGH, "--jobs", "1", "--tools", "memcheck,synccheck", BAD="slow")
        self.assertEqual(done.returncode, 2)
        self.assertIn("6 pieces: 2 clean, 1 unfinished, 3 not run", done.stdout)
        done = self.run_script("--table", "--tools", "memcheck,synccheck", BAD="slow")
        self.assertEqual((done.returncode, self.ran), (2, []))
        self.assertIn("3 not run", done.stdout)
        # What was never run comes first.
        self.run_script("--for", ENOUGH, "--jobs", "1", "--tools", "memcheck,synccheck", BAD="slow")
        self.assertEqual([line.split()[0] for line in self.ran], ["bad/slow", "good/one", "good/other"])

    def test_other_ends(self):
        for name, said, status in (("crash", "failed: exit status 3", 1),
                                   ("fails", "failed: exit status 1, ../tests/solve.c:9: 1 is not 2", 1),
                                   ("skips", "skipped: no reason", 2), ("none", "empty: no case for it", 0)):
            done = self.run_script("--tools", "memcheck", BAD=name)
            self.assertEqual(done.returncode, status, name)
            self.assertIn(f"memcheck solve 2/3: {said}", done.stdout)

    def test_a_tool_that_sees_nothing_says_nothing(self):
        self.program("bin/compute-sanitizer", UNSEEN)
        done = self.run_script("--tools", "memcheck")
        self.assertEqual(done.returncode, 2)
        self.assertIn("3 pieces: 3 unseen", done.stdout)

    def test_programs_without_criterion_and_shares(self):
        self.program("moved/tests/test_real", PLAIN)
        self.program("moved/tests/test_threads", PLAIN)
        self.describe(("real on cuda", "tests/test_real"), ("threads on cuda", "tests/test_threads"))
        os.makedirs(os.path.join(self.folder, "matrices/real"))
        matrices = os.path.join(self.folder, "matrices")
        done = self.run_script("--tools", "memcheck", SPRY_MATRICES=matrices)
        self.assertEqual(done.returncode, 0)
        self.assertEqual(self.ran, sorted([f"plain part {part}/24" for part in range(24)] + ["plain part all"]))
        self.assertIn("memcheck real 3/24: clean", done.stdout)
        self.run_script("--tools", "memcheck", "--only", "real*", SPRY_MATRICES=self.folder)
        self.assertEqual(self.ran, ["plain part all"])

    def test_a_program_without_long_tests_is_one_piece(self):
        self.describe(("wrap on cuda", "tests/test_solve"))
        done = self.run_script("--tools", "memcheck")
        self.assertEqual(done.returncode, 0)
        self.assertEqual(self.ran, ["good/one good/other bad/race part all brief few on cuda"])
        self.assertRegex(done.stdout, r"\nwrap +\d s\n")

    def test_the_slowest_tests_are_told(self):
        self.run_script("--tools", "memcheck", "--only", "solve 0/3")
        result = json.loads((self.build / "sanitize/results.jsonl").read_text())
        self.assertEqual(result["slowest"], [["good/one", "0.01"]])

    def test_without_what_runs_tests_in_one_process(self):
        os.remove(self.build / "tests/libone_process.so")
        done = self.run_script()
        self.assertEqual(done.returncode, 1)
        self.assertIn("libone_process.so: not there", done.stderr)

    def test_a_line_that_was_cut_off(self):
        self.run_script("--tools", "memcheck")
        with (self.build / "sanitize/results.jsonl").open("r+") as file:
            file.truncate(len(file.read()) - 9)
        done = self.run_script("--tools", "memcheck")
        self.assertEqual((done.returncode, len(self.ran)), (0, 1))
        self.assertEqual(len((self.build / "sanitize/results.jsonl").read_text().splitlines()), 4)

    def test_without_a_device(self):
        self.program("moved/tests/test_solve", NO_DEVICE)
        done = self.run_script()
        self.assertEqual((done.returncode, done.stdout), (77, "skipped: no device\n"))

    def test_what_is_wrong_with_the_call(self):
        self.assertEqual(self.run_script("--tools", "memchck").returncode, 2)
        self.assertIn("no piece fits", self.run_script("--only", "nothing").stderr)
        self.describe()
        self.assertIn("built without CUDA", self.run_script().stderr)
        os.remove(self.build / "meson-info/intro-tests.json")
        done = self.run_script()
        self.assertEqual(done.returncode, 1)
        self.assertIn("is no build folder", done.stderr)

    def test_without_the_tool(self):
        os.remove(os.path.join(self.folder, "bin/compute-sanitizer"))
        os.symlink("/bin/sh", os.path.join(self.folder, "bin/sh"))
        done = self.run_script(PATH=os.path.join(self.folder, "bin"))
        self.assertEqual(done.returncode, 1)
        self.assertIn("compute-sanitizer", done.stderr)


if __name__ == "__main__":
    SCRIPT = sys.argv.pop(1)
    unittest.main()
