#!/bin/sh
# Runs the tests on the change. The run fails if a test does.
set -eu
. "$1/change.sh"
mkdir -p artifacts
fresh_branch
apply_patch

sh shop/test.sh > artifacts/tests.txt 2>&1 || { tail -n 1 artifacts/tests.txt >&2; exit 1; }
millrace agent answer "All $(wc -l < artifacts/tests.txt | tr -d ' ') tests pass."
