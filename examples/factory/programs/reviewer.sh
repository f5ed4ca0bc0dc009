#!/bin/sh
# Tries what the tests of the change leave out.
set -eu
. "$1/change.sh"
mkdir -p artifacts
fresh_branch
apply_patch

total=$(sh shop/total.sh < /dev/null)
if [ "$total" = 0 ]; then
  verdict=accepted
  review="The total counts quantities, and an empty cart costs 0."
else
  verdict=fault
  review="Fault: an empty cart costs \"$total\", but it has to cost 0. Fix it, and add a test."
fi

echo "$verdict" > artifacts/verdict
echo "$review" > artifacts/review.md
millrace agent answer "$review"
