import { expect, test } from "vitest";
import { openSealer } from "../../src/secrets/master-key.ts";
import { temporaryFolder } from "../given/folder.ts";
import { aStore } from "../given/store.ts";

const databaseUrl = "postgres://millrace@localhost/millrace";
const settings = (masterKey?: string) => ({
  dataDir: temporaryFolder(),
  databaseUrl,
  masterKey,
  masterKeyFile: undefined,
});
const KEYS = ["the-key-of-a-first-server", "the-key-of-a-second-server"] as const;

test("a server with PostgreSQL needs a master key that was set", async () => {
  const { secrets } = await aStore();
  await expect(openSealer(settings(), secrets)).rejects.toThrow("the master key has to be set");
});

test("of two servers with different keys that start at the same time, one starts, and its key stays", async () => {
  const { secrets } = await aStore();
  const opened = await Promise.allSettled(KEYS.map((key) => openSealer(settings(key), secrets)));
  const started = KEYS.filter((_, index) => opened[index]?.status === "fulfilled");
  expect(started).toHaveLength(1);
  for (const key of KEYS) {
    const again = openSealer(settings(key), secrets);
    if (key === started[0]) await again;
    else await expect(again).rejects.toThrow("The database belongs to servers with a different master key.");
  }
});

test("two servers with the same key open what the other one seals", async () => {
  const { secrets } = await aStore();
  const [a, b] = await Promise.all([KEYS[0], KEYS[0]].map((key) => openSealer(settings(key), secrets)));
  expect(b?.open(a?.seal("text", "context") ?? Buffer.from(""), "context")).toBe("text");
});
