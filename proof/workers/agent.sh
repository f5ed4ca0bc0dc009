# An agent of the proof. It notes its start in a file of its own before anything else, and writes the same bytes to its
# record and to its standard output. Long work is for cut-offs, and ends when there are no more of them. Arguments: the folder
# of the witnesses, and the name of the worker.
. "${BASH_SOURCE[0]%/*}/witness.sh" "$1" "$2"
lines=5
pause=0.1
isLong=
[ -f event-payload.json ] && payload=$(< event-payload.json)
[[ $payload =~ \"lines\":([0-9]+) ]] && lines=${BASH_REMATCH[1]}
[[ $payload =~ \"pause\":([0-9.]+) ]] && pause=${BASH_REMATCH[1]}
[[ $payload =~ \"isLong\":true ]] && isLong=1
[[ $payload =~ \"stubborn\":true ]] && trap '' TERM INT HUP
# A pipe that nobody writes to: waiting for it costs no process.
exec 9<> <(:)
for ((i = 1; i <= lines; i++)); do
  [[ -n $isLong && -e $witness/long-work-is-over ]] && break
  # Some lines in a row, some after a while.
  ((RANDOM % 3 == 0)) || read -rt "$pause" -u 9 _
  text="turn $MILLRACE_TURN line $i $RANDOM ${payload:0:$((RANDOM % 200))} grün"
  printf '%s\n' "$text" >> "$record"
  printf '%s\n' "$text"
done
: > "$witness/ends/$turn"
