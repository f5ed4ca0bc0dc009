#!/usr/bin/env node
// Executes each turn in a systemd unit of its own on this machine, with the memory and processors that its runner asks for.
// MILLRACE_SANDBOX_COMMAND="/opt/backends/systemd-run.mjs /etc/millrace/worker.token USER", in a worker that runs as root.
// This program was not run with a real systemd when it was written.
import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";

const [tokenFile, user, verb] = process.argv.slice(2);
const { id, command = [], shape } = JSON.parse(readFileSync(0, "utf8"));
const unit = `millrace-${id}.service`;

function call(program, args, { mayFail = false } = {}) {
  const { status, stdout, error } = spawnSync(program, args, {
    encoding: "utf8",
    stdio: ["ignore", "pipe", "inherit"],
  });
  if (error) console.error(error.message);
  if (error || (status !== 0 && !mayFail)) process.exit(1);
  return stdout.trim();
}

const property = (name) => call("systemctl", ["show", `--property=${name}`, "--value", unit]);
const answer = { version: 1 };
if (verb === "start" && property("LoadState") !== "loaded") {
  const folder = `millrace-jobs/${id}`;
  const limits = shape ? [`MemoryMax=${shape.memory_gb}G`, `CPUQuota=${shape.vcpus * 100}%`] : [];
  const properties = [`CacheDirectory=${folder}`, ...limits].map((each) => `--property=${each}`);
  const worker = [...command, "--token-file", tokenFile, "--data-dir", `/var/cache/${folder}`];
  call("systemd-run", ["--quiet", `--unit=${unit}`, `--uid=${user}`, ...properties, "--", ...worker]);
} else if (verb === "status") {
  const states = { active: "running", activating: "running", deactivating: "running", failed: "failed" };
  // A unit that has succeeded is gone.
  answer.state = states[property("ActiveState")] ?? "unknown";
} else if (verb === "cancel") {
  for (const what of [["stop"], ["clean", "--what=cache"], ["reset-failed"]])
    call("systemctl", [...what, unit], { mayFail: true });
  if (!["inactive", "failed"].includes(property("ActiveState"))) process.exit(1);
}
console.log(JSON.stringify(answer));
