#!/bin/sh
# Fails at the first total that is not as expected.
set -eu
cd "$(dirname "$0")"
expect() {
  total=$(printf "$2" | sh ./total.sh)
  [ "$total" = "$3" ] || { echo "failed: $1: expected $3, got $total"; exit 1; }
  echo "ok: $1"
}
expect "one item" 'pen 2 1\n' 2
expect "several items" 'pen 2 1\nbook 10 1\n' 12
