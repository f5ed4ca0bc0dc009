import { cpSync, rmSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { FACTORY } from "../../given/definition.ts";
import { folderWith, temporaryFolder, withSmallVolume } from "../../given/folder.ts";
import { startServer } from "../../given/server.ts";

const FILL_BYTES = `dd if=/dev/zero of="$0/filler" bs=4k 2>/dev/null`;
const FILL_INODES = `i=0; while touch "$0/empty-$i" 2>/dev/null; do i=$((i+1)); done`;

/** Starts a server on a copy of a folder that lies on a small volume, which a shell then prepares. */
async function startOn(stopped: string, prepare: string) {
  const folder = temporaryFolder();
  const shell = `cp -r '${stopped}/.' "$0/data"; ${prepare}; exec "$@"`;
  const wrapper = [...withSmallVolume(folder, 40, 600), "sh", "-c", shell, folder];
  const started = startServer({ sources: [folderWith(FACTORY)], dataDir: join(folder, "data"), wrapper });
  return { folder, started };
}

/** The folder of a server that has stopped. */
async function stoppedFolder() {
  const server = await startServer({ sources: [folderWith(FACTORY)] });
  await server.stop();
  const copy = join(temporaryFolder(), "data");
  cpSync(server.dataDir, copy, { recursive: true });
  rmSync(join(copy, "reserve"), { recursive: true, force: true });
  return copy;
}

test.each([
  ["bytes", FILL_BYTES],
  ["inodes", FILL_INODES],
])("a disk without free %s keeps a server from starting, and is not taken for damage", async (_, fill) => {
  const { folder, started } = await startOn(await stoppedFolder(), fill);
  const said = String(await started.then(() => "it started", String));
  expect(said).toMatch(/The disk is full: \d+ KiB and \d+ inodes are free at /);
  expect(said).toContain(folder);
  expect(said).not.toMatch(/restore|millrace doctor/);
});

test("a first start on a full disk says that the disk is full", async () => {
  const { started } = await startOn(temporaryFolder(), `rm -r "$0/data"; ${FILL_BYTES}`);
  expect(String(await started.then(() => "it started", String))).toContain("The disk is full");
});

test("a server with a reserve starts on a full disk", async () => {
  const stopped = await stoppedFolder();
  const reserve = `dd if=/dev/zero of="$0/data/reserve" bs=1M count=8 2>/dev/null`;
  const { started } = await startOn(stopped, `${reserve}; ${FILL_BYTES}`);
  expect((await (await started).fetch("/healthz")).status).toBe(200);
});
