#!/usr/bin/env node
// Executes turns on another machine over ssh: MILLRACE_SANDBOX_COMMAND="/opt/backends/ssh.mjs -i KEY USER@HOST".
// The home of USER has the folder .millrace with the files `token` (mode 600) and `worker.yaml` (the settings of the worker).
import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";

const verb = process.argv.at(-1);
const { id, command = [] } = JSON.parse(readFileSync(0, "utf8"));
const quoted = (words) => words.map((word) => `'${word.replaceAll("'", "'\\''")}'`).join(" ");
const job = `jobs/${id.replaceAll(/[^a-z0-9-]/g, "")}`;
const worker = quoted([
  ...command,
  "--token-file",
  "token",
  "--config",
  "worker.yaml",
  "--data-dir",
  `${job}/data`,
]);
const execute = `${worker} > ${job}/log 2>&1; code=$?; rm -rf ${job}/data; echo $code > ${job}/exit`;
const scripts = {
  // A job that is there already is not started again. Those of last week are removed.
  start: `mkdir -p jobs && find jobs -mindepth 1 -maxdepth 1 -mtime +7 -exec rm -rf {} +
    [ -d ${job} ] && exit 0; mkdir ${job} || exit 1
    setsid sh -c ${quoted([execute])} < /dev/null > /dev/null 2>&1 & echo $! > ${job}/pid`,
  status: `if [ -s ${job}/exit ]; then cat ${job}/exit; tail -n 1 ${job}/log
    elif kill -0 "-$(cat ${job}/pid)" 2> /dev/null; then echo running; else echo unknown; fi`,
  cancel: `[ -s ${job}/pid ] || exit 0; pid=$(cat ${job}/pid); kill -TERM "-$pid" 2> /dev/null
    for i in 1 2 3 4 5 6 7 8 9 10; do kill -0 "-$pid" 2> /dev/null || break; sleep 1; done
    kill -KILL "-$pid" 2> /dev/null; rm -rf ${job}`,
};
const ssh = ["-o", "BatchMode=yes", "-o", "ConnectTimeout=20", ...process.argv.slice(2, -1), "sh", "-s"];
const { status, stdout, error } = spawnSync("ssh", ssh, {
  input: `cd "$HOME/.millrace" || exit 1\n${scripts[verb]}\n`,
  encoding: "utf8",
  stdio: ["pipe", "pipe", "inherit"],
});
if (error || status !== 0) {
  if (error) console.error(error.message);
  process.exit(1);
}
const [first = "", reason] = stdout.split("\n");
const state = /^\d+$/.test(first) ? (first === "0" ? "succeeded" : "failed") : first;
console.log(
  JSON.stringify({ version: 1, ...(verb === "status" ? { state, ...(reason ? { reason } : {}) } : {}) }),
);
