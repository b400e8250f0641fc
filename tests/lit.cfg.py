# lit configuration of the tool tests.  A test is a file with RUN lines; it passes when all of them exit with 0.
#   %s  the test file     %t  a temporary name of its own     %S, %T  their folders
#   %wslc %wsld %wsobjdump %wsrun %wspy    the tools          %wsopt  passes over WIR text (a test program)
#   %cc the C compiler, %python Python, %root the source tree, %build the build tree
#   %sancflags  the flags that a C program needs to link the library of this build
#   not CMD         passes if CMD exits non-zero by itself (a crash is a failure)
#   exits N CMD     passes if CMD exits with exactly N
#   both 'CMD'     runs CMD with ARCH replaced by wse2 and by wse3: both pass and print the same, which is printed once
#   FileCheck, count, split-file: LLVM's
# `REQUIRES: slow` marks the slow suite.  Files that are not tests themselves live in folders named Inputs.
import glob
import os
import shutil

import lit.formats

config.name = "scheelite"
config.test_format = lit.formats.ShTest(True)
config.suffixes = [".test", ".w", ".csl", ".s", ".wir", ".paint"]
config.excludes = ["Inputs", "inputs", "tools", "unit", "bench", "lit.cfg.py"]
config.test_source_root = os.path.join(config.ws_source, "tests")
config.test_exec_root = os.path.join(config.ws_build, "tests", "out")
os.makedirs(config.test_exec_root, exist_ok=True)

bin_dir = os.path.join(config.ws_build, "bin")
for tool in ("wslc", "wsld", "wsobjdump", "wsrun", "wspy"):
    path = os.path.join(bin_dir, tool)
    config.substitutions.append(("%" + tool + r"\b", path))
    if os.path.exists(path):
        config.available_features.add(tool)
config.substitutions.append((r"%wsopt\b", os.path.join(config.ws_build, "tests", "bin", "ws-opt")))
config.substitutions.append((r"%cc\b", config.ws_cc))
config.substitutions.append((r"%python\b", config.ws_python))
config.substitutions.append((r"%root\b", config.ws_source))
config.substitutions.append((r"%build\b", config.ws_build))
config.substitutions.append((r"%sancflags\b", "-fsanitize=address,undefined" if config.ws_sanitize else ""))

tools = os.path.join(config.test_source_root, "tools")
config.environment["PATH"] = os.pathsep.join([tools, config.ws_llvm_bin, bin_dir, os.environ["PATH"]])
config.environment["LC_ALL"] = "C"
config.environment["FILECHECK_OPTS"] = "--dump-input-filter=error"
# a sanitizer finding is a crash, so that neither `not` nor `exits` can take it for an expected failure
config.environment["ASAN_OPTIONS"] = "abort_on_error=1:detect_leaks=1"
config.environment["UBSAN_OPTIONS"] = "abort_on_error=1:print_stacktrace=1"
config.environment.pop("WSRT_PLUGIN", None)

if config.ws_sanitize:
    config.available_features.add("sanitize")
if lit_config.params.get("slow"):
    config.available_features.add("slow")
if shutil.which("script"):
    config.available_features.add("script")
