# A backup that comes back in another folder, as docs/backup.md tells. Typed in an empty folder, with millrace in PATH;
# test/admin/backup/tried.system.ts replays it.
export MILLRACE_LISTEN=127.0.0.1:8789 MILLRACE_SERVER=http://127.0.0.1:8789
export MILLRACE_ADMIN_KEY=a-key-of-twenty-letters MILLRACE_API_KEY=a-key-of-twenty-letters
export MILLRACE_AGENT_COMMAND="/bin/cat prompt.md" MILLRACE_SANDBOX=none
wait_for() { tries=0; until "$@" > waited 2>&1; do tries=$((tries + 1)); [ $tries -lt 200 ] || { echo "waited in vain"; return 1; }; done; }
has_run() { millrace runs list | grep -q '^SUCCEEDED'; }

millrace init factory
millrace serve factory --data-dir here > here.log 2>&1 &
SERVER=$!
wait_for millrace status
printf %s a-token-of-twenty-letters | millrace secrets set CI_WEBHOOK_SECRET
millrace sync
echo '{"status":"failed","branch":"main"}' > body.json
millrace webhooks send ci --body body.json
wait_for has_run
millrace webhooks list --json > webhooks-here.json
millrace backup backup.tar --data-dir here
kill "$SERVER"
wait "$SERVER"

millrace restore backup.tar --data-dir there
install -m 600 here/master.key there/master.key
millrace doctor --data-dir there
millrace serve factory --data-dir there > there.log 2>&1 &
SERVER=$!
wait_for millrace status
millrace status
millrace webhooks list --json > webhooks-there.json
cmp webhooks-here.json webhooks-there.json
millrace deliveries list
millrace runs logs
millrace webhooks send ci --body body.json
kill "$SERVER"
wait "$SERVER"
