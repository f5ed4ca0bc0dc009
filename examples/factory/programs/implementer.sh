#!/bin/sh
# Changes the code as the issue asks. Its first attempt has a fault, so that the reviewer has something to find.
set -eu
. "$1/change.sh"
mkdir -p artifacts
fresh_branch

edit() {
  sed "$1" shop/total.sh > edited
  cat edited > shop/total.sh
}

if [ -f review.md ]; then
  apply_patch
  edit 's/print sum }/print sum + 0 }/'
  printf '%s\n' "expect \"an empty cart\" '' 0" >> shop/test.sh
  done="An empty cart costs 0 again"
else
  edit 's/sum += $2 }/sum += $2 * $3 }/; s/print sum + 0 }/print sum }/'
  printf '%s\n' "expect \"several of an item\" 'pen 2 3\\n' 6" >> shop/test.sh
  done="The total counts quantities"
fi

git -C shop commit --quiet --all --message "$done"
git -C shop format-patch --quiet --stdout origin/main > artifacts/change.patch
millrace agent answer "$done."
