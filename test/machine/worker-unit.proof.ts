import { expect, test } from "vitest";
import { sharedByFile } from "../given/cleanup.ts";
import { installedMachine, waitForProcess } from "../given/machine.ts";

/** The steps of docs/deploying.md, after those for the server. */
const INSTALL = `
  useradd --system --add-subids-for-system --home-dir /var/lib/millrace-worker millrace-worker
  install -m 644 /given/systemd/worker/millrace* /etc/systemd/system/
  install -D -m 644 /given/systemd/worker/server.conf /etc/systemd/system/millrace.service.d/worker.conf
  printf 'MILLRACE_AGENT_COMMAND="/bin/bash /srv/agent/agent.sh"\\nMILLRACE_DRAIN_TIMEOUT=1s\\n' > /etc/millrace/worker.environment
  systemctl daemon-reload && systemctl restart millrace.service`;

const machine = sharedByFile(async () => {
  const installed = await installedMachine("cat; sleep 600; echo woken");
  await installed.run(INSTALL);
  await installed.ready();
  const token = (await installed.millrace("workers create builder")).match(/mrw_\w+/)?.[0];
  await installed.run(`(umask 077; echo ${token} > /etc/millrace/worker.token)`);
  await installed.run("systemctl enable --now millrace.target");
  await installed.run(
    "for n in $(seq 300); do journalctl -u millrace-worker -o cat | grep -q 'executes runs' && exit; sleep 0.2; done; exit 1",
  );
  return installed;
});
const run = (script: string) => machine().run(script);
const millrace = (command: string) => machine().millrace(command);
const processOf = async (unit: string) => (await run(`systemctl show -P MainPID ${unit}`)).trim();

/** A run whose agent sleeps, and the number of that process. */
async function aSleeper() {
  const id = (await millrace("runs create 'Sleep.'")).trim();
  return { id, sleep: await waitForProcess(machine(), "^sleep 600$") };
}

test("the units are valid to systemd", async () => {
  const units = ["millrace.target", "millrace.service", "millrace-worker.service"];
  expect(await run(`cd /etc/systemd/system && systemd-analyze verify ${units.join(" ")} 2>&1`)).toBe("");
});

test("the worker's runs are in its own service and of its own user, and the server has none", async () => {
  const { id, sleep } = await aSleeper();
  expect(await run(`cat /proc/${sleep}/cgroup`)).toContain(
    `/system.slice/millrace-worker.service/run-${id}/`,
  );
  expect(await run(`ps -o user:20= -p ${sleep}`)).toBe("millrace-worker\n");
  const doctor = "runuser -u millrace-worker -- env MILLRACE_AGENT_COMMAND=bash millrace doctor --worker";
  await run("install -m 600 -o millrace-worker /etc/millrace/worker.token /run/worker.token");
  const said = await run(
    `cd / && ${doctor} --server http://127.0.0.1:8787 --token-file /run/worker.token --data-dir /var/lib/millrace-worker`,
  );
  expect(said).toContain("accepts the token");
  expect(said).toContain("a worker is running on");
  await millrace(`runs cancel ${id}`);
  await run(`for n in $(seq 100); do [ -e /proc/${sleep} ] || exit 0; sleep 0.1; done; exit 1`);
});

test("a restart of the server leaves the worker and its agents alone", async () => {
  const before = [await processOf("millrace"), await processOf("millrace-worker")];
  const { id, sleep } = await aSleeper();
  await run("systemctl restart millrace.service");
  await machine().ready();
  expect(await processOf("millrace")).not.toBe(before[0]);
  expect(await processOf("millrace-worker")).toBe(before[1]);
  expect(await waitForProcess(machine(), "^sleep 600$")).toBe(sleep);
  await run(`kill ${sleep}`);
  const said = await millrace(`runs logs -f ${id}`);
  expect(said).toContain("woken");
  expect(await millrace(`runs get ${id}`)).toMatch(/^state: +SUCCEEDED$/m);
});

test("a stop of the target ends the server, the worker and its agents", async () => {
  await aSleeper();
  await run("systemctl stop millrace.target");
  // Systemd waits for the target alone.
  const states = "systemctl show -P ActiveState millrace.service millrace-worker.service | sort -u | xargs";
  await run(`for n in $(seq 300); do [ "$(${states})" = inactive ] && exit; sleep 0.2; done; exit 1`);
  expect(await run("pgrep -c '^(millrace|sleep)$' || true")).toBe("0\n");
  for (const unit of ["millrace.service", "millrace-worker.service"]) {
    expect(await run(`systemctl show -P Result ${unit}`)).toBe("success\n");
    expect(await run(`systemctl is-active ${unit} || true`)).toBe("inactive\n");
  }
  expect(await run("systemctl is-active millrace.socket || true")).toBe("inactive\n");
});
