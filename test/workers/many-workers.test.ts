import { expect, test } from "vitest";
import { onFinished } from "../given/cleanup.ts";
import { startServer } from "../given/server.ts";
import { doorClient } from "../given/workers.ts";

test("a server that many workers ask for runs at the same time does not warn of listeners that it leaks", async () => {
  const warnings: string[] = [];
  const hear = ({ name, message }: Error) => void warnings.push(`${name}: ${message}`);
  process.on("warning", hear);
  onFinished(() => process.off("warning", hear));
  const server = await startServer({ sources: [] });
  const first = await doorClient(server);
  const pool = await Promise.all(Array.from({ length: 30 }, () => doorClient(server, first)));
  await Promise.all(pool.map((worker) => worker.claim(1, 0)));
  await Promise.all(pool.map((worker) => worker.claim(1, 500)));
  expect(warnings).toEqual([]);
});
