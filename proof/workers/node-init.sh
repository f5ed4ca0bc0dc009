# The first process of a node: it hides what the node must not see, and starts the program of the node again whenever that
# has ended, as a service manager does. It ends with whoever holds its standard input, and the kernel then ends the rest.
# Arguments: how many folders to hide, these folders, and the program with its arguments.
hidden=$1
shift
for ((i = 0; i < hidden; i++)); do
  mount -t tmpfs -o size=4k,mode=000 none "$1" || exit 1
  shift
done
trap 'exit 0' TERM
(cat > /dev/null; kill -TERM 1) <&0 &
while true; do
  "$@" < /dev/null &
  wait $!
  sleep 0.2
done
