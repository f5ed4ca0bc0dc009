import { cpSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { FACTORY } from "../../given/definition.ts";
import { folderWith, temporaryFolder } from "../../given/folder.ts";
import { PROGRAM, run, startServer } from "../../given/server.ts";

test.each<[string, (path: string) => void, RegExp]>([
  ["no database", (path) => writeFileSync(path, "something else"), /file is not a database|unable to open/],
  ["damaged", damage, /disk image is malformed|unable to open/],
])(
  "a database that is %s keeps the server from starting, which says where it lies and what to do",
  async (_, harm, reason) => {
    const source = folderWith(FACTORY);
    const server = await startServer({ sources: [source] });
    await server.stop();
    for (const name of ["millrace.db", "millrace-transcripts.db"]) {
      const dataDir = join(temporaryFolder(), "data");
      cpSync(server.dataDir, dataDir, { recursive: true });
      harm(join(dataDir, name));
      const { code, said } = await run(["serve", source, "--data-dir", dataDir], {
        MILLRACE_LISTEN: "127.0.0.1:0",
      });
      expect(code).toBe(1);
      expect(said).toMatch(reason);
      expect(said).toContain(join(dataDir, "millrace.db"));
      expect(said).toMatch(/millrace doctor` .* restore/);
    }
  },
);

test("a database that cannot be opened is reported, and no thread is missed, however busy the caller is", async () => {
  const path = join(temporaryFolder(), "millrace.db");
  for (const name of [path, join(path, "..", "millrace-transcripts.db")])
    writeFileSync(name, "something else");
  const { openStore } = await import(new URL("store/open-store.js", `file://${PROGRAM}`).href);
  const missed: Error[] = [];
  const events = { onLost: (error: Error) => missed.push(error), onCommit: () => {}, onFailure: () => {} };
  const opening = expect(openStore(path, events)).rejects.toThrow("file is not a database");
  for (const until = Date.now() + 500; Date.now() < until; );
  await opening;
  expect(missed).toEqual([]);
});

/** Leaves the first page, which says that it is a database, and nothing of the others. */
function damage(path: string): void {
  const bytes = readFileSync(path);
  writeFileSync(path, bytes.fill(0xee, 100));
}
