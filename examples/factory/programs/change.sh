# What the agents that work on a change share. A turn can be repeated, so each begins with the branch as it was.

# Makes the clone in shop/ the state of its remote, on a branch of its own.
fresh_branch() {
  # A git that was killed leaves its locks, which keep every other one from working.
  find shop/.git -name '*.lock' -delete
  git -C shop am --abort 2> /dev/null || true
  git -C shop checkout --quiet --force -B change origin/main
  git -C shop clean --quiet --force -d
}

# Applies the patch that the foreman has handed over.
apply_patch() {
  git -C shop am --quiet "$PWD/change.patch"
}
