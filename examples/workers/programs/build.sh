# A build that takes some seconds. Its result says which machine it was made on, and in which folder.
set -eu
target=$(sed -n 's/.*"target" *: *"\([^"]*\)".*/\1/p' event-payload.json)
echo "Building $target on $(uname -n) in $PWD"
for step in 1 2 3; do
  echo "step $step of 3"
  sleep 1
done
mkdir -p artifacts
echo "$target, built on $(uname -n) in $PWD" > artifacts/result.txt
