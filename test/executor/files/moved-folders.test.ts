import { spawn } from "node:child_process";
import { once } from "node:events";
import { chmodSync, mkdirSync, renameSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { countUsage, type Usage } from "../../../src/executor/files/count-usage.ts";
import { temporaryFolder } from "../../given/folder.ts";

const MIB = 1024 * 1024;
const chain = (levels: number) => Array.from({ length: levels }, () => "d").join("/");

/** A deep tree in `from`, which can be moved to `to`, and files that stand still beside both. */
function movableTree(above: number, below: number) {
  const folder = temporaryFolder();
  const place = join(folder, chain(above));
  const [from, to] = [join(place, "from/moved"), join(place, "to/moved")];
  mkdirSync(join(from, chain(below)), { recursive: true });
  mkdirSync(join(place, "to"));
  for (const name of ["a", "m", "z"]) {
    mkdirSync(join(folder, name));
    writeFileSync(join(folder, name, "standing"), Buffer.alloc(MIB, 1));
  }
  return { folder, from, to, standing: 3 * MIB };
}

/** Counts a folder. @param atStep does something when so many steps are done */
function counted(folder: string, atStep: (step: number) => void = () => {}): Usage {
  const steps = countUsage({ folder });
  for (let step = 0; ; step += 1) {
    const { done, value } = steps.next();
    if (done) return value;
    atStep(step);
  }
}

test("what stands still is counted while a process moves a folder all the time", async () => {
  const { folder, from, to, standing } = movableTree(1, 100);
  const script = `const { renameSync } = require("node:fs"); console.log("ready");
    for (;;) { renameSync(process.argv[1], process.argv[2]); renameSync(process.argv[2], process.argv[1]); }`;
  const attacker = spawn(process.execPath, ["-e", script, from, to], { stdio: ["ignore", "pipe", "ignore"] });
  onTestFinished(() => void attacker.kill("SIGKILL"));
  await once(attacker.stdout, "data");
  for (let time = 0; time < 50; time += 1) expect(counted(folder).bytes).toBeGreaterThanOrEqual(standing);
});

test("what stands still is counted whenever a folder is moved in a tree that is too deep to be held open", () => {
  const { folder, from, to, standing } = movableTree(120, 80);
  let steps = 0;
  counted(folder, (step) => {
    steps = step;
  });
  let partial = 0;
  for (let at = 0; at < steps; at += 5) {
    const usage = counted(folder, (step) => step === at && renameSync(from, to));
    renameSync(to, from);
    expect(usage.bytes).toBeGreaterThanOrEqual(standing);
    if (usage.isPartial) partial += 1;
  }
  expect(partial).toBeGreaterThan(0);
  expect(counted(folder).isPartial).toBeUndefined();
});

test("the mode of the folder that a folder was moved to stays as it is", () => {
  const { folder, from, to } = movableTree(120, 80);
  const [before, after] = [join(from, ".."), join(to, "..")];
  chmodSync(before, 0o300);
  chmodSync(after, 0o755);
  let steps = 0;
  counted(folder, (step) => {
    steps = step;
  });
  for (let at = 0; at < steps; at += 5) {
    counted(folder, (step) => step === at && renameSync(from, to));
    renameSync(to, from);
    expect(statSync(after).mode & 0o777).toBe(0o755);
    chmodSync(before, 0o300);
  }
});
