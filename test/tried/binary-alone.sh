# The binary on a machine that has git and nothing else: no Node, no other program. Typed in an empty folder, with MILLRACE
# naming the binary; test/binary/alone.proof.ts replays it.
mkdir bin
ln -s "$(command -v git)" bin/git
ln -s "$MILLRACE" bin/millrace
PATH=$PWD/bin

export MILLRACE_LISTEN=127.0.0.1:8789 MILLRACE_SERVER=http://127.0.0.1:8789
export MILLRACE_ADMIN_KEY=a-key-of-twenty-letters MILLRACE_API_KEY=a-key-of-twenty-letters
wait_for() { tries=0; until "$@" > waited 2>&1; do tries=$((tries + 1)); [ $tries -lt 200 ] || { printf "waited in vain\n"; return 1; }; done; }

millrace version --json
millrace init factory
millrace validate factory
git init --quiet --initial-branch=main factory
git -C factory add .
git -C factory -c user.name=Ann -c user.email=ann@example.com commit --quiet --message "Report failed builds"
MILLRACE_AGENT_COMMAND="/bin/cat prompt.md" millrace serve git:factory > server.log 2>&1 &
SERVER=$!
wait_for millrace status
printf %s a-token-of-twenty-letters | millrace secrets set CI_WEBHOOK_SECRET
millrace sync
printf '{"status":"failed","branch":"main"}' > body.json
millrace webhooks send ci --body body.json
has_run() { case $(millrace runs list) in SUCCEEDED*|*"
SUCCEEDED"*) ;; *) return 1 ;; esac; }
wait_for has_run
millrace runs logs
kill "$SERVER"
wait "$SERVER"
