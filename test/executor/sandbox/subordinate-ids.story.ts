import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, test } from "vitest";
import { sharedByFile } from "../../given/cleanup.ts";
import { temporaryFolder } from "../../given/folder.ts";
import { processesWith, serverOf } from "../../given/isolated.ts";
import { NOBODY } from "../../given/sandbox-of.ts";
import { waitFor } from "../../given/server.ts";

/** Numbers that no user of a machine has. */
const IDS = { first: 1_200_000_000, count: 65_536 };

/** The shell of the unit, with the program that it starts as its arguments. */
function shellOfUnit(): string {
  const unit = new URL("../../../deploy/systemd/millrace.service", import.meta.url);
  const text = readFileSync(unit, "utf8");
  const shell = /^ExecStart=\/bin\/sh -c '([^']+)'$/m.exec(text)?.[1] ?? "";
  return shell
    .replaceAll("\\\n", "")
    .replaceAll("$$", () => "$")
    .replace(/\/usr\/local\/bin\/millrace .*/, () => '"$@"');
}

/** As systemd starts the unit: another user, who gets no privileges from programs, and has these two. */
const IN_UNIT = [
  ...["setpriv", `--reuid=${NOBODY.uid}`, `--regid=${NOBODY.gid}`, "--clear-groups", "--no-new-privs"],
  ...["bounding-set", "inh-caps", "ambient-caps"].map((option) => `--${option}=-all,+setuid,+setgid`),
  ...["sh", "-c", shellOfUnit(), "sh"],
];

/** Starts a program where the user has the subordinate ids of this line, or none. */
function withIds(line: string): string[] {
  const file = join(temporaryFolder(), "ids");
  writeFileSync(file, line);
  const mounted = ["/etc/subuid", "/etc/subgid"].map((path) => `mount --bind ${file} ${path}`).join(" && ");
  return ["unshare", "--mount", "sh", "-c", `${mounted} && exec "$@"`, "sh"];
}

const serverWith = async (line: string, agent: string, { before }: { before?: Before } = {}) =>
  serverOf("nobody", "bwrap", agent, { wrapper: withIds(line), as: IN_UNIT, ...(before ? { before } : {}) });

interface Before {
  dataDir: string;
  source: string;
}

const OWN_IDS = `nobody:${IDS.first}:${IDS.count}\n`;

/** The user of a process as the machine has it. */
const userOf = (pid: number | undefined) =>
  Number(/^Uid:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1]);

const unprotected = (log: string) => log.includes("Availability is not protected");

/** Takes all epoll watches that the kernel lets its user have, and keeps them. */
const USE_UP = `
  use POSIX ();
  my ($create, $control, $bytes) = (POSIX::uname())[4] eq "x86_64" ? (291, 233, 12) : (20, 21, 16);
  my $event = pack("L", 1) . "\\0" x ($bytes - 4);
  pipe(my $reader, my $writer);
  for (;;) {
    my @watched = map { POSIX::dup(fileno($reader)) } 1 .. 500;
    while ((my $epoll = syscall($create, 0)) >= 0) {
      for my $file (@watched) {
        next if syscall($control, $epoll, 1, $file, $event) == 0;
        print "used up\\n" if $!{ENOSPC};
        STDOUT->flush();
        sleep 1000;
      }
    }
    # This process has no more descriptors: another one goes on.
    my $child = fork();
    next if $child == 0;
    sleep 1000;
  }`;

/** Does as it is told in its prompt. */
const AGENT = `
  import { spawnSync } from "node:child_process";
  import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
  let prompt = "";
  for await (const piece of process.stdin) prompt += piece;
  const perl = ${JSON.stringify(USE_UP)};
  if (prompt.includes("use up")) spawnSync("perl", ["-MErrno", "-MIO::Handle", "-e", perl], { stdio: "inherit" });
  if (prompt.includes("write")) {
    mkdirSync("private", { mode: 0o700 });
    writeFileSync("private/note", "kept", { mode: 0o600 });
    mkdirSync("artifacts", { recursive: true });
    writeFileSync("artifacts/report.txt", "done", { mode: 0o600 });
  }
  if (prompt.includes("read")) console.log(readFileSync("private/note", "utf8"));
  if (prompt.includes("stay")) { console.log("here"); setInterval(() => {}, 1000); }`;

/** All users that have processes of a run, as the machine has them. */
const usersOf = (runId: string) => [...new Set(processesWith(`MILLRACE_RUN_ID=${runId}`).map(userOf))];
const isOwn = (user: number) => user >= IDS.first && user < IDS.first + IDS.count;

describe.runIf(process.getuid?.() === 0)("a server that is not root, started as the unit does", () => {
  const shared = sharedByFile(() => serverWith(OWN_IDS, AGENT));

  test("stays while a run uses up what the kernel counts per user, and so do other runs", async () => {
    const { server, story, start, run } = shared();
    expect([userOf(server.pid), unprotected(server.log())]).toEqual([NOBODY.uid, false]);
    const id = await start({ prompt: "use up" });
    while (!(await story.transcript(id)).includes("used up")) await sleep(250);
    expect(usersOf(id).filter(isOwn)).toHaveLength(1);
    expect(await run({ prompt: "Do nothing." })).toMatchObject({ state: "SUCCEEDED" });
    expect((await server.fetch("/readyz")).status).toBe(200);
    await server.api("POST", `/agent/runs/${id}/cancel`);
    await story.ended(id);
    expect(usersOf(id)).toEqual([]);
  }, 600_000);

  test("keeps, reads and hands over what the user of a run writes", async () => {
    const { server, story, start, run } = shared();
    const id = await start({ prompt: "write" });
    expect(await story.ended(id)).toMatchObject({ state: "SUCCEEDED" });
    expect((await story.run(id)).artifacts?.map(({ data }) => data.filename)).toEqual(["report.txt"]);
    await server.api("POST", `/agent/runs/${id}/followups`, { message: "read" });
    await waitFor(async () => (await story.transcript(id)).includes("kept\n"));
    await story.ended(id);
    expect(await run({ prompt: "read" })).toMatchObject({ state: "FAILED" });
  });

  // The last one with these ids: it ends what they share.
  test("that was killed and started again takes up its runs, and ends them", async () => {
    const { server, story, start, dataDir, source } = shared();
    const id = await start({ prompt: "stay" });
    await waitFor(async () => (await story.transcript(id)).includes("here\n"));
    const before = usersOf(id);
    expect(before.some(isOwn)).toBe(true);
    await server.kill();
    const again = await serverWith(OWN_IDS, AGENT, { before: { dataDir, source } });
    expect(await again.story.run(id)).toMatchObject({ state: "INPROGRESS" });
    expect(usersOf(id)).toEqual(before);
    await again.server.api("POST", `/agent/runs/${id}/cancel`);
    expect(await again.story.ended(id)).toMatchObject({ state: "CANCELLED" });
    expect(usersOf(id)).toEqual([]);
  });

  test("warns without subordinate ids, and has no capability", async () => {
    const { server, run, start, story } = await serverWith("", AGENT);
    expect([userOf(server.pid), unprotected(server.log())]).toEqual([NOBODY.uid, true]);
    expect(server.log()).toContain('no line matching user "nobody" in /etc/subuid');
    const status = readFileSync(`/proc/${server.pid}/status`, "utf8");
    for (const set of ["Inh", "Prm", "Eff", "Amb"])
      expect(status).toMatch(new RegExp(`^Cap${set}:\\s+0+$`, "m"));
    expect(await run({ prompt: "write" })).toMatchObject({ state: "SUCCEEDED" });
    const id = await start({ prompt: "stay" });
    await waitFor(async () => (await story.transcript(id)).includes("here\n"));
    expect(usersOf(id)).toEqual([NOBODY.uid]);
  });
});
