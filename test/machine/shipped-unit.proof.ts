import { describe, expect, test } from "vitest";
import { sharedByFile } from "../given/cleanup.ts";
import { installedMachine } from "../given/machine.ts";

/** Tries what would let it live on: says what it could do, and leaves a process that has nothing of the run any more. */
const HOSTILE = `
  prompt=$(cat)
  tried() { if "$@" > /dev/null 2>&1; then echo yes; else echo no; fi; }
  echo "uid of millrace: $(test "$(id -u)" = "$(stat -c %u "$PWD")" && echo yes)"
  echo "traces its own child: $(tried timeout 5 strace -o /dev/null true)"
  echo "traces the first process: $(timeout 2 strace -o /dev/null -p 1 2>&1 | grep -c attached)"
  echo "reads the memory of the first process: $(tried dd if=/proc/1/mem count=0)"
  echo "reads the master key: $(tried cat /var/lib/millrace/master.key)"
  echo "reads the environment of the server: $(cat /proc/[0-9]*/environ 2> /dev/null | grep -c the-admin-key)"
  ln -s /var/lib/millrace artifacts/stolen
  (while :; do mkdir artifacts/a; rmdir artifacts/a; ln -s /var/lib/millrace artifacts/a; rm artifacts/a; done) 2> /dev/null &
  setsid env -i sleep 31337 &
  sleep 1
  case "$prompt" in *stay*) exec sleep 600;; esac`;

const machine = sharedByFile(() => installedMachine(HOSTILE));

const millrace = (command: string) => machine().millrace(command);

/** The processes that agents have left, as the machine's root sees them. */
const left = () => machine().run("pgrep -c -f '^sleep (31337|600)$' || true");

describe("the shipped unit, in a machine that systemd runs", () => {
  test("serves on the socket of systemd, as a separate user, and isolates agents with bubblewrap", async () => {
    expect(await machine().run("systemctl is-active millrace.socket millrace.service")).toBe(
      "active\nactive\n",
    );
    expect(await machine().run("ps -o user= -p $(systemctl show -P MainPID millrace)")).toBe("millrace\n");
    const [id] = (await millrace("runs create --wait --json 'Do it.'")).match(/(?<="run_id": ?")[^"]+/) ?? [];
    expect(await millrace(`runs timeline ${id}`)).toContain("bwrap");
    expect(await machine().run("stat -fc %T /sys/fs/cgroup")).toBe("cgroup2fs\n");
  });

  // What Yama lets a process trace: any of its user, its children alone, or nothing without a right that no agent has.
  test.each([
    [0, "yes"],
    [1, "yes"],
    [2, "no"],
  ])("an agent cannot trace the first process or outlive its run under Yama %i", async (scope, own) => {
    await machine().run(`echo ${scope} > /proc/sys/kernel/yama/ptrace_scope`);
    const said = await millrace("runs create --follow 'Do it.'");
    expect(said).toContain("uid of millrace: yes");
    expect(said).toContain(`traces its own child: ${own}`);
    expect(said).toContain("traces the first process: 0");
    expect(said).toContain("reads the memory of the first process: no");
    expect(said).toContain("reads the master key: no");
    expect(said).toContain("reads the environment of the server: 0");
    expect(await left()).toBe("0\n");
    expect(await machine().run("find /var/lib/millrace -path '*artifacts*' -name 'master.key' | wc -l")).toBe(
      "0\n",
    );
  });

  test("an agent goes on when its server is killed, and the next server can cancel it, with all that it has left", async () => {
    const [id] = (await millrace("runs create --json 'Please stay.'")).match(/(?<="run_id": ?")[^"]+/) ?? [];
    await machine().run("for n in $(seq 100); do pgrep -f '^sleep 600$' && exit; sleep 0.1; done; exit 1");
    const agent = await machine().run("pgrep -f '^sleep 600$'");
    const group = await machine().run("cat /proc/$(pgrep -f '^sleep 600$')/cgroup");
    expect(group).toMatch(/^0::\/system\.slice\/millrace\.service\/run-/);
    await machine().run("systemctl kill --signal=KILL --kill-whom=main millrace.service");
    await machine().ready();
    expect(await machine().run("pgrep -f '^sleep 600$'")).toBe(agent);
    await millrace(`runs cancel ${id}`);
    await machine().run(
      "for n in $(seq 300); do pgrep -f '^sleep (31337|600)$' || exit 0; sleep 0.1; done; exit 1",
    );
    expect(await millrace(`runs get ${id}`)).toContain("CANCELLED");
  });

  test("a stop leaves nothing in the unit's control group", async () => {
    await millrace("runs create 'Please stay.'");
    await machine().run("for n in $(seq 100); do pgrep -f '^sleep 600$' && exit; sleep 0.1; done; exit 1");
    await machine().run("systemctl stop millrace.socket millrace.service");
    expect(await left()).toBe("0\n");
    expect(await machine().run("pgrep -c -u millrace || true")).toBe("0\n");
    expect(await machine().run("systemctl show -P Result millrace.service")).toBe("success\n");
  });
});
