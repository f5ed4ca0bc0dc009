#!/usr/bin/env node
// Executes each turn in a systemd unit of its own on this machine, with the memory and processors that its runner asks for.
// MILLRACE_SANDBOX_COMMAND="/opt/backends/systemd-run.mjs /etc/millrace/worker.token USER", in a worker that runs as root.
// This program was not run with a real systemd when it was written.
import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";

const [tokenFile, user, verb] = process.argv.slice(2);
const { id, command = [], shape } = JSON.parse(readFileSync(0, "utf8"));
const unit = `millrace-${id}.service`;
const call = (program, ...args) => spawnSync(program, args, { encoding: "utf8" });
const property = (name) => call("systemctl", "show", "--property", name, "--value", unit).stdout?.trim();
const answer = (body) => console.log(JSON.stringify({ version: 1, ...body }));
const limits = shape
  ? [`--property=MemoryMax=${shape.memory_gb}G`, `--property=CPUQuota=${shape.vcpus * 100}%`]
  : [];

if (verb === "start" && property("LoadState") !== "loaded") {
  const folder = `millrace-jobs/${id}`;
  const options = [
    `--unit=${unit}`,
    `--uid=${user}`,
    `--property=CacheDirectory=${folder}`,
    "--quiet",
    ...limits,
  ];
  const worker = [...command, "--token-file", tokenFile, "--data-dir", `/var/cache/${folder}`];
  const { status, stderr, error } = call("systemd-run", ...options, "--", ...worker);
  if (error || status !== 0) {
    console.error(error?.message ?? stderr);
    process.exit(1);
  }
}
if (verb === "status") {
  const states = { active: "running", activating: "running", deactivating: "running", failed: "failed" };
  // A unit that has succeeded is gone.
  answer({ state: states[property("ActiveState")] ?? "unknown", reason: property("Result") });
} else if (verb === "cancel") {
  call("systemctl", "stop", unit);
  call("systemctl", "reset-failed", unit);
  call("systemctl", "clean", "--what=cache", unit);
  answer({});
} else answer({});
