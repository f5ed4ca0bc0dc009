import { closeSync, readdirSync, rmSync } from "node:fs";
import { expect, test } from "vitest";
import { pipeMaker } from "../../src/platform/pipes.ts";
import { temporaryFolder } from "../given/folder.ts";
import { waitFor } from "../given/server.ts";

/** How many descriptors a maker of pipes has open. */
const openFiles = () => readdirSync("/proc/self/fd").length;

test.runIf(process.platform === "linux")(
  "pipes are made while some are left, and whoever needs one does not wait",
  async () => {
    const folder = temporaryFolder();
    const makePipe = pipeMaker(folder);
    const taken = Array.from({ length: 19 }, makePipe);
    const before = openFiles();
    taken.push(makePipe());
    // Nothing was opened by the call itself.
    expect(openFiles()).toBeLessThan(before + 32);
    await waitFor(() => (openFiles() >= before + 64 && readdirSync(folder).length === 0) || undefined);
    // From here on, none can be made.
    rmSync(folder, { recursive: true });
    while (taken.length < 64) taken.push(makePipe());
    expect(new Set(taken.flatMap(({ read, write }) => [read, write])).size).toBe(128);
    expect(makePipe).toThrow("ENOENT");
    for (const { read, write } of taken) for (const end of [read, write]) closeSync(end);
  },
);

test("pipes that could not be made in time are asked for again, and the reason is told", async () => {
  const folder = temporaryFolder();
  const makePipe = pipeMaker(folder);
  const taken = [makePipe()];
  rmSync(folder, { recursive: true });
  while (taken.length < 32) taken.push(makePipe());
  expect(makePipe).toThrow("ENOENT");
  for (const { read, write } of taken) for (const end of [read, write]) closeSync(end);
});
