import { expect, test } from "vitest";
import { sharedByFile } from "../given/cleanup.ts";
import { FACTORY } from "../given/definition.ts";
import { installedMachine, waitForProcess } from "../given/machine.ts";

/** Tries to raise its own limit, with the user of the server as it has, and takes all the memory that it gets. */
const AGENT = `
  prompt=$(cat)
  ls /sys/fs/cgroup
  mkdir -p /tmp/cgroup
  unshare -UrmC sh -c 'mount -t cgroup2 none /tmp/cgroup && echo max > /tmp/cgroup/memory.max && echo raised'
  case "$prompt" in
    *memory*) exec tail /dev/zero;;
    *stay*) exec sleep 600;;
    *lot*) (head -c 900M /dev/zero; sleep 600) | tail;;
  esac`;

const GROUP = "/sys/fs/cgroup/system.slice/millrace.service";

const machine = sharedByFile(() =>
  installedMachine(AGENT, {
    ...FACTORY,
    "runners/small.yaml": "instanceShape: { vcpus: 1, memoryGb: 1 }\n",
    "runners/greedy.yaml": "instanceShape: { vcpus: 1, memoryGb: 1 }\nsetupCommands: ['tail /dev/zero']\n",
    "agents/greedy/agent.md": "---\nagentType: CUSTOM\nrunner: greedy\n---\nWork.\n",
    "agents/small/agent.md": "---\nagentType: CUSTOM\nrunner: small\n---\nWork.\n",
  }),
);
const run = (script: string) => machine().run(script);
const millrace = (command: string) => machine().millrace(command);

test("the service divides its cgroup, and has itself in a part of it", async () => {
  expect(await run(`cat ${GROUP}/cgroup.procs`)).toBe("");
  expect(await run(`grep -c . ${GROUP}/main/cgroup.procs`)).toMatch(/^[1-9]/);
  expect(await run("journalctl -u millrace -o cat")).toContain("each run gets a cgroup of its own");
});

test("a run has the memory, the processor time and the processes of its size, and no swap", async () => {
  const id = (await millrace("runs create --agent small 'Please stay.'")).trim();
  await waitForProcess(machine(), "^sleep 600$");
  const limits = ["memory.max", "memory.swap.max", "memory.oom.group", "cpu.max", "pids.max"];
  expect(await run(`cd ${GROUP}/run-${id} && cat ${limits.join(" ")}`)).toBe(
    `${1024 ** 3}\n0\n1\n100000 100000\n1016\n`,
  );
  expect(await run(`cat /proc/$(pgrep -f '^sleep 600$')/cgroup`)).toContain(`/millrace.service/run-${id}/`);
  await millrace(`runs cancel ${id}`);
  await run(`for n in $(seq 100); do [ -e ${GROUP}/run-${id} ] || exit 0; sleep 0.1; done; exit 1`);
  expect(await run("pgrep -c -f '^sleep 600$' || true")).toBe("0\n");
});

test("an agent that takes more memory is killed, whatever it tries, and its run says why", async () => {
  const before = await run("systemctl show -P MainPID millrace");
  const said = await millrace("runs create --agent small --follow 'Eat memory.' || true");
  const why =
    "The agent was killed: it exceeded 1 GB of memory, the limit that memoryGb in the instanceShape of its runner sets.";
  expect(said).toContain(`[millrace: ${why}]`);
  expect(said).toContain(`is FAILED. ${why}`);
  expect(said).not.toContain("raised");
  expect(said).toContain("'/sys/fs/cgroup': No such file or directory");
  const [id] = /(?<=Run )[0-9a-f-]{36}/.exec(said) ?? [];
  expect(await millrace(`runs timeline ${id} --json`)).not.toContain("memory");
  // Systemd counts it as a kill in the service, and lets that go on.
  expect(await run("systemctl show -P MainPID millrace")).toBe(before);
  expect(await run(`ls -d ${GROUP}/run-* 2> /dev/null | wc -l`)).toBe("0\n");
});

test("without a size, a run has three quarters of the memory of the service, and a kill names the setting", async () => {
  const service = Number(await run(`cat ${GROUP}/memory.max`));
  const whole = Number((await run("grep MemTotal /proc/meminfo")).replaceAll(/\D/g, "")) * 1024;
  // The unit leaves a tenth to the rest of the machine.
  expect(service / whole).toBeCloseTo(0.9, 2);
  const id = (await millrace("runs create 'Please stay.'")).trim();
  const pid = await waitForProcess(machine(), "^sleep 600$");
  expect(Number(await run(`cat ${GROUP}/run-${id}/memory.max`)) / service).toBeCloseTo(0.75, 2);
  expect(await run(`cat ${GROUP}/run-${id}/cpu.max`)).toBe("max 100000\n");
  expect(await run(`cat /proc/${pid}/oom_score_adj`)).toBe("500\n");
  await millrace(`runs cancel ${id}`);
  const said = await millrace("runs create --follow 'Eat memory.' || true");
  expect(said).toMatch(
    /is FAILED\. The agent was killed: it exceeded [\d.]+ GiB of memory, the limit that MILLRACE_RUN_MEMORY sets/,
  );
});

test("of runs that need too much together, one is killed, and the server is not", async () => {
  const before = await run("systemctl show -P MainPID millrace");
  const limit = await run(`cat ${GROUP}/memory.max`);
  // The commands of this test need room beside the service, too.
  await run(`echo 1500M > ${GROUP}/memory.max`);
  const [one, other] = [
    (await millrace("runs create 'Hold a lot.'")).trim(),
    (await millrace("runs create 'Hold a lot.'")).trim(),
  ];
  await run(
    `for n in $(seq 200); do grep -q '^oom [1-9]' ${GROUP}/memory.events.local && exit; sleep 1; done; exit 1`,
  );
  const told = async () => `${await millrace(`runs get ${one}`)}${await millrace(`runs get ${other}`)}`;
  await expect.poll(told, { timeout: 60_000 }).toContain("reached its own memory limit");
  expect((await told()).match(/^state: +\w+/gm)?.sort()).toEqual([
    expect.stringContaining("FAILED"),
    expect.stringContaining("INPROGRESS"),
  ]);
  expect(await run("systemctl show -P MainPID millrace")).toBe(before);
  for (const id of [one, other]) await millrace(`runs cancel ${id} || true`);
  await run(`echo ${limit.trim()} > ${GROUP}/memory.max`);
});

test("a setup command that takes more memory is killed, and the run says why", async () => {
  const said = await millrace("runs create --agent greedy --follow 'Go.' || true");
  expect(said).toMatch(/is FAILED\. Setup command 1 of 1 from .* was killed: it exceeded 1 GB of memory/);
});

test("what outlives a killed server is held to its limits again, and a stop ends it", async () => {
  const left = `${GROUP}/run-left/limits-52428800-max-20`;
  await run(
    `mkdir -p ${left} && chown -R millrace: ${GROUP}/run-left && echo 52428800 > ${GROUP}/run-left/memory.max`,
  );
  await run(`setsid sleep 31339 > /dev/null 2>&1 & echo $! > ${left}/cgroup.procs`);
  await run("systemctl kill --signal=KILL --kill-whom=main millrace.service");
  await run(
    "for n in $(seq 100); do [ $(systemctl show -P NRestarts millrace) = 1 ] && exit; sleep 0.1; done; exit 1",
  );
  await machine().ready();
  expect(await run("pgrep -c -f '^sleep 31339$'")).toBe("1\n");
  expect(await run(`cat ${GROUP}/run-left/memory.max ${GROUP}/run-left/pids.max`)).toBe("52428800\n20\n");
  await run("systemctl stop millrace.socket millrace.service");
  expect(await run("pgrep -c -f '^sleep 31339$' || true")).toBe("0\n");
  expect(await run("systemctl show -P Result millrace.service")).toBe("success\n");
});
