# An agent of the proof whose session takes messages. It says which messages it has heard, and ends at the last one, or when
# none has come for a while. Arguments: the folder of the witnesses, and the name of the worker.
. "${BASH_SOURCE[0]%/*}/witness.sh" "$1" "$2"
how=prompted
while IFS= read -rt 12 line; do
  rest=$line
  while [[ $rest =~ (message-[0-9]+-[0-9]+\.) ]]; do
    rest=${rest#*"${BASH_REMATCH[1]}"}
    printf '%s %s\n' "$how" "${BASH_REMATCH[1]}" >> "$record"
    printf '%s %s\n' "$how" "${BASH_REMATCH[1]}"
  done
  how=heard
  [[ $line == *"That is all."* ]] && break
done
: > "$witness/ends/$turn"
