import { randomUUID } from "node:crypto";
import { existsSync, mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import { aDispatcher, aProgram } from "../given/backend.ts";
import { aTurn, doorServer, idle } from "../given/door-server.ts";
import { temporaryFolder } from "../given/folder.ts";
import { waitFor } from "../given/server.ts";
import { aWorker } from "../given/worker.ts";

test("a server cannot have a worker write or remove anything outside of its data folder", async () => {
  const outside = temporaryFolder("outside");
  writeFileSync(join(outside, "precious.txt"), "mine");
  const dataDir = join(temporaryFolder("millrace-worker"), "data");
  mkdirSync(dirname(dataDir), { recursive: true });
  const up = "../".repeat(20);
  const missing = (at: string) => [
    { owner: "acme", name: `x/${up}${at}`, remote: { forge: "f", originUrl: "u", tokenIn: "t" } },
  ];
  const turns = [
    aTurn({ id: `${up}${outside}` }),
    aTurn({ id: `${up}${outside}` }, { registryAuths: { "r.example": {} } }),
    aTurn({}, { repositories: missing(outside) }),
    null,
    {},
    aTurn({ id: "next" }),
  ];
  const good = aTurn();
  const server = await doorServer((path, { waitMs, turns: known = [] }) => {
    if (path === "claim") return waitMs > 0 ? { ...idle, turns: [...turns, good] } : idle;
    const standing = { isCancelled: false, news: "", isForgotten: false };
    if (path === "beat") return { ...idle, turns: known.map(({ id }) => ({ id, ...standing })) };
    return {};
  });
  const worker = await aWorker(server, { dataDir, token: "mrw_x" });
  await waitFor(() => server.asked.some(({ path }) => path === "call") || undefined);
  await waitFor(() => worker.said().includes("not valid") || undefined);
  expect(readdirSync(outside)).toEqual(["precious.txt"]);
  expect(existsSync(join(dataDir, "workspaces"))).toBe(true);
  expect(worker.exitCode()).toBeNull();
});

test("an answer of another form is no answer: it is asked again, and the lease goes on to its end", async () => {
  const odd = [
    {},
    null,
    { leaseMs: -5, isDraining: false, turns: [] },
    { leaseMs: 1e308, isDraining: false, turns: [] },
  ];
  let beats = 0;
  const server = await doorServer((path) => {
    if (path !== "beat") return new Promise(() => {});
    beats += 1;
    return beats <= odd.length ? odd[beats - 1] : idle;
  });
  const worker = await aWorker(server, { token: "mrw_x" });
  await waitFor(() => beats > odd.length || undefined);
  const waits = server.asked.filter(({ path }) => path === "beat").map(({ body }) => body.waitMs);
  expect(waits.slice(0, odd.length + 1)).toEqual(Array(odd.length + 1).fill(1_000));
  expect(worker.exitCode()).toBeNull();
});

test("a server cannot have a backend called with anything but a run, nor a job written outside of the data folder", async () => {
  const calls = join(temporaryFolder(), "calls");
  const offer = {
    ...{ id: randomUUID(), turn: 1, factory: "acme", workerHost: "builder", platform: null },
    ...{ shape: null, image: null, waitingSince: "2026-01-01T00:00:00Z" },
  };
  const hostile = [
    { id: "../../../x" },
    { id: "--help" },
    { turn: "1; reboot" },
    { turn: 0 },
    { factory: "a\nb" },
    { factory: "a".repeat(300) },
    { image: { $gt: "" } },
    { image: "alpine\u0000" },
    { platform: { os: "linux; reboot" } },
    { shape: { vcpus: -1, memoryGb: 1 } },
  ];
  let asked = 0;
  const server = await doorServer((path) => {
    if (path !== "claim") return idle;
    const changes = hostile[asked % hostile.length];
    asked += 1;
    return { ...idle, offers: { offers: [{ ...offer, ...changes }], known: [] } };
  });
  const { dataDir, stop } = await aDispatcher(server, {
    token: "mrw_none",
    program: aProgram(`echo called >> ${calls}; echo '{"version": 1}'`, "/bin/sh"),
  });
  await waitFor(() => asked > hostile.length, 40);
  expect(existsSync(calls)).toBe(false);
  expect(readdirSync(join(dataDir, "jobs"))).toEqual([]);
  await stop();
});

test("a server that offers more than a worker has room for has no more started", async () => {
  const folder = temporaryFolder();
  let asked = 0;
  const server = await doorServer((path) => {
    if (path !== "claim") return idle;
    asked += 1;
    const offers = Array.from({ length: 50 }, () => ({
      ...{ id: randomUUID(), turn: 1, factory: null, workerHost: "builder", platform: null },
      ...{ shape: null, image: null, waitingSince: "2026-01-01T00:00:00Z" },
    }));
    return { ...idle, offers: { offers, known: [] } };
  });
  const { dataDir } = await aDispatcher(server, {
    token: "mrw_none",
    program: aProgram(`: > ${folder}/$$; echo '{"version": 1, "state": "running"}'`, "/bin/sh"),
  });
  await waitFor(() => asked > 5);
  expect(readdirSync(join(dataDir, "jobs"))).toHaveLength(2);
});
