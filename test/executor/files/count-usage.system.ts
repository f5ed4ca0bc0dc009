import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { chmodSync, linkSync, mkdirSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { type CountOptions, countUsage, type Usage } from "../../../src/executor/files/count-usage.ts";
import { newUuid } from "../../../src/id.ts";
import { deepTree } from "../../given/file-worker.ts";
import { folderWith, temporaryFolder, withSmallVolume } from "../../given/folder.ts";
import { actAsNobody } from "../../given/processes.ts";
import { waitFor } from "../../given/server.ts";

const MIB = 1024 * 1024;

function counted(options: CountOptions): Usage {
  const steps = countUsage(options);
  for (;;) {
    const { done, value } = steps.next();
    if (done) return value;
  }
}

/** A process of a run that does something with a file and then waits. */
async function processOf(runId: string, folder: string, script: string): Promise<void> {
  const child = spawn(
    process.execPath,
    ["-e", `${script}; console.log("ready"); setInterval(() => {}, 1000)`],
    {
      cwd: folder,
      detached: true,
      env: { PATH: process.env.PATH, MILLRACE_RUN_ID: runId },
      stdio: ["ignore", "pipe", "inherit"],
    },
  );
  onTestFinished(() => void process.kill(-(child.pid ?? 0), "SIGKILL"));
  await once(child.stdout, "data");
}

test("a file counts once however many names it has, and what a link leads to does not", () => {
  const outside = folderWith({ "big.bin": Buffer.alloc(4 * MIB, 1) });
  const folder = folderWith({ "a.bin": Buffer.alloc(MIB, 1) });
  linkSync(join(folder, "a.bin"), join(folder, "b.bin"));
  symlinkSync(outside, join(folder, "link"));
  const { bytes, files } = counted({ folder });
  expect([Math.floor(bytes / MIB), files]).toEqual([1, 3]);
});

test("a file with names in several folders counts once", () => {
  const folder = folderWith({ "a.bin": Buffer.alloc(MIB, 1) });
  const other = temporaryFolder();
  linkSync(join(folder, "a.bin"), join(other, "a.bin"));
  expect(Math.floor(counted({ folder, also: [other, join(other, "absent")] }).bytes / MIB)).toBe(1);
});

test("files of two volumes that have one number both count", () => {
  const [one, two] = [temporaryFolder(), temporaryFolder()];
  const module = new URL("../../../dist/executor/files/count-usage.js", import.meta.url).href;
  // Volumes of memory give the same numbers, from the first on.
  const script = `
    import { linkSync, statSync, writeFileSync } from "node:fs";
    import { countUsage } from ${JSON.stringify(module)};
    const folders = ${JSON.stringify([one, two])};
    for (const folder of folders) {
      writeFileSync(folder + "/a", Buffer.alloc(${MIB}, 1));
      linkSync(folder + "/a", folder + "/b");
    }
    const steps = countUsage({ folder: folders[0], also: folders.slice(1) });
    let step = steps.next();
    while (!step.done) step = steps.next();
    console.log(new Set(folders.map((folder) => statSync(folder + "/a").ino)).size, step.value.bytes);`;
  const [command = "", ...args] = [
    ...withSmallVolume(one, 8),
    ...withSmallVolume(two, 8),
    ...[process.execPath, "--input-type=module", "--eval", script],
  ];
  expect(execFileSync(command, args, { encoding: "utf8" })).toBe(`1 ${2 * MIB}\n`);
});

test("folders deeper than a path can be long are counted, and files whose names are not UTF-8", () => {
  const folder = temporaryFolder();
  deepTree(folder, 150);
  writeFileSync(Buffer.concat([Buffer.from(`${folder}/`), Buffer.from([0xff, 0xfe])]), "x");
  expect(counted({ folder }).files).toBe(152);
});

test("a folder that its owner may not read is counted, and keeps its mode", () => {
  const folder = temporaryFolder();
  chmodSync(folder, 0o777);
  actAsNobody();
  const closed = join(folder, "closed");
  mkdirSync(closed);
  writeFileSync(join(closed, "file"), "x");
  chmodSync(closed, 0);
  expect(counted({ folder }).files).toBe(2);
  expect(statSync(closed).mode & 0o777).toBe(0);
  chmodSync(closed, 0o700);
});

test("counting ends as soon as a limit is passed", () => {
  const folder = folderWith(Object.fromEntries(Array.from({ length: 50 }, (_, n) => [`file-${n}`, ""])));
  expect(counted({ folder, limits: { bytes: 0, files: 10 } }).files).toBe(11);
});

test("deleted files that a process of the run holds open or in its memory are counted, and those of others are not", async () => {
  const runId = newUuid();
  const folder = temporaryFolder();
  const hold = (name: string) => `
    const fs = require("node:fs");
    fs.writeFileSync("${name}", Buffer.alloc(${3 * MIB}, 1));
    fs.openSync("${name}", "r"); fs.unlinkSync("${name}")`;
  await processOf(runId, folder, hold("held"));
  await processOf(newUuid(), folder, hold("of-another"));
  const { bytes, files, unlinkedBytes } = counted({ folder, runId });
  expect([Math.floor(bytes / MIB), files, Math.floor(unlinkedBytes / MIB)]).toEqual([3, 1, 3]);
});

test("a deleted file counts also when its process has wiped the run's id, as long as what has started it has not", async () => {
  const runId = newUuid();
  const folder = temporaryFolder();
  const inner = `const fs = require("node:fs"); fs.writeFileSync("held", Buffer.alloc(${MIB}, 1));
    fs.openSync("held", "r"); fs.unlinkSync("held"); setInterval(() => {}, 1000)`;
  await processOf(
    runId,
    folder,
    `require("node:child_process").spawn(process.execPath, ["-e", ${JSON.stringify(inner)}], { env: {}, stdio: "ignore" })`,
  );
  await waitFor(() => counted({ folder, runId }).unlinkedBytes >= MIB || undefined);
});
