#!/bin/sh
# Sees an issue through: implementer, reviewer, again if there is a fault, verifier, and a person who approves.
#
# Each turn begins at the top. What was already done is found again instead of being done twice: a start has a key, a wait
# for a run that has ended returns at once, and files remember the rest. So a turn that was lost can be repeated.
set -eu

# The value of the last string member with a name, in JSON of one member per line. It gets that from printf: the echo of some
# shells makes line ends of what an agent has answered.
member() { sed -n 's/^ *"'"$1"'": "\([^"]*\)",*$/\1/p' | tail -n 1; }

# Starts an agent, or finds the run that an earlier turn has started with the same key. Prints the id of the run.
start() {
  agent=$1 key=$2
  shift 2
  if ! [ -s "run-$key" ]; then
    started=$(millrace agent start "$agent" --key "$key" --json "$@")
    printf '%s\n' "$started" | member run_id > "run-$key"
  fi
  cat "run-$key"
}

# Returns when a run has succeeded. If it has not ended yet, this turn ends, and the end of the run begins the next one.
await() {
  ! [ -f "ended-$1" ] || return 0
  code=0
  result=$(millrace agent wait "$1" --json) || code=$?
  [ "$code" != 75 ] || exit 0
  [ "$code" = 0 ] || exit "$code"
  state=$(printf '%s\n' "$result" | member state)
  if [ "$state" = SUCCEEDED ]; then
    fetch "$1"
    touch "ended-$1"
    return
  fi

  # The server or the agent was stopped: the run is asked to try again, but not for ever.
  echo . >> "tries-$1"
  [ "$(wc -l < "tries-$1")" -le 5 ] || fail "The run $1 ended in the state $state, again and again."
  millrace agent message "$1" "Your turn ended in the state $state. Start again."
  code=0
  millrace agent wait "$1" > /dev/null || code=$?
  [ "$code" != 75 ] || exit 0
  await "$1"
}

# Fetches what a run has left in its artifacts/ to a folder of its own.
fetch() { millrace agent fetch "$1" --to "from/$1" --force > /dev/null; }

fail() {
  millrace agent answer "$1"
  echo "$1" >&2
  exit 1
}

# Whether the person who was asked has approved. What another agent says begins with a line of millrace, and is none.
is_approved() {
  [ -f approved ] && return
  [ -f asked ] || return
  said=$(sed '/^\[millrace: The previous turn ended before/d; /^$/d' "$MILLRACE_PROMPT_FILE")
  case $said in
    Approve | "Approve
"*) case $said in *"[millrace:"*) return 1 ;; esac ;;
    Reject) touch rejected && return 1 ;;
    *) return 1 ;;
  esac
  touch approved
}

# Moves the task to a stage, once for each step.
move() {
  [ -f "moved-$2" ] && return
  millrace agent move "$1" > /dev/null
  touch "moved-$2"
}

if ! is_approved && ! [ -f rejected ]; then
  # Without a delivery, what the first turn asks is the issue.
  issue=issue.json
  if [ -f event-payload.json ]; then
    cp event-payload.json issue.json
  else
    issue=issue.md
    [ -f issue.md ] || cp "$MILLRACE_PROMPT_FILE" issue.md
  fi

  round=1
  set -- --file "$issue"
  while :; do
    move IMPLEMENT "implement-$round"
    implementer=$(start implementer "implement-$round" --prompt "Implement the issue, round $round." "$@")
    await "$implementer"
    cp "from/$implementer/change.patch" change.patch

    move REVIEW "review-$round"
    reviewer=$(start reviewer "review-$round" --prompt "Review the change, round $round." \
      --file "$issue" --file change.patch)
    await "$reviewer"
    cp "from/$reviewer/review.md" review.md
    [ "$(cat "from/$reviewer/verdict")" != accepted ] || break

    round=$((round + 1))
    [ "$round" -le 3 ] || fail "The reviewer still finds faults after three rounds."
    set -- --file "$issue" --file change.patch --file review.md
  done

  verifier=$(start verifier verify --prompt "Run the tests on the change." --file change.patch)
  await "$verifier"

  # Whoever is asked sees the patch: what is in artifacts/ is stored when the turn ends.
  mkdir -p artifacts
  cp change.patch artifacts/change.patch

  # A run that asks and ends with exit code 0 waits for the answer, which begins its next turn.
  touch asked
  millrace agent ask "The change was reviewed in $round rounds, and all tests pass. Approve it?" \
    --choice Approve --choice Reject
  exit 0
fi

if [ -f rejected ]; then
  move CANCELLED end
  millrace agent answer "The change was rejected."
  exit 0
fi
move COMPLETE end
millrace agent answer "The change was approved. It is the artifact change.patch."
