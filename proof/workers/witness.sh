# Notes the start of an agent in a file of its own, before anything else. Arguments: the folder of the witnesses, and the name
# of the worker. Leaves the name of the turn in `turn`, and where the agent records what it writes in `record`.
witness=$1
turn="$MILLRACE_RUN_ID.$MILLRACE_TURN.$2"
set -o noclobber
: > "$witness/starts/$turn.$$.$RANDOM$RANDOM"
set +o noclobber
record="$witness/records/$turn.$$"
