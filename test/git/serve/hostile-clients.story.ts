import { randomBytes } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { connect, type Socket } from "node:net";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { listProcesses } from "../../../src/platform/processes.ts";
import {
  clonedFrom,
  type ServedRepository,
  serveClones,
  WORKER_TOKEN,
  workerMirror,
} from "../../given/clone-server.ts";
import { repositoryWith } from "../../given/repository.ts";

const MIB = 1024 * 1024;
const basic = `Basic ${Buffer.from(`x:${WORKER_TOKEN}`).toString("base64")}`;

/** Asks for a whole clone, and reads nothing of the answer. */
function wantAll(served: ServedRepository, commit: string, length?: number): Socket {
  const { port, pathname } = new URL(served.url);
  const socket = connect(Number(port), "127.0.0.1");
  socket.on("error", () => {});
  socket.pause();
  const body = wants(commit);
  socket.write(
    [
      `POST ${pathname}/git-upload-pack HTTP/1.1`,
      "host: localhost",
      `authorization: ${basic}`,
      "content-type: application/x-git-upload-pack-request",
      `content-length: ${length ?? body.length}`,
      "",
      body,
    ].join("\r\n"),
  );
  onTestFinished(() => void socket.destroy());
  return socket;
}

const line = (text: string) => (text.length + 4).toString(16).padStart(4, "0") + text;
const wants = (commit: string) => `${line(`want ${commit} side-band-64k\n`)}0000${line("done\n")}`;

/** How many requests are being answered, by the folders that stand for them. */
const inService = (served: ServedRepository) => readdirSync(join(served.gitFolder, "served")).length;

async function serving(served: ServedRepository): Promise<number> {
  const seen = await listProcesses();
  const mark = Buffer.from(join(served.gitFolder, "served"));
  const isOurs = ({ pid }: { pid: number }) => commandOf(pid).includes(mark);
  return seen.filter(isOurs).length;
}

function commandOf(pid: number): Buffer {
  try {
    return readFileSync(`/proc/${pid}/cmdline`);
  } catch {
    return Buffer.alloc(0);
  }
}

async function largeRepository() {
  const repository = repositoryWith({ a: "1", "large.bin": randomBytes(24 * MIB) });
  return { repository, commit: repository.git("rev-parse", "HEAD") };
}

test("a client that goes away takes its processes with it", async () => {
  const { repository, commit } = await largeRepository();
  const served = await serveClones(repository.url);
  await served.mirror.refresh(new AbortController().signal);
  const socket = wantAll(served, commit);
  await expect.poll(() => serving(served)).toBeGreaterThan(0);
  socket.destroy();
  await expect.poll(() => serving(served)).toBe(0);
  await expect.poll(() => inService(served)).toBe(0);
  expect(served.warnings).toEqual([]);
});

test("a client that does not read is cut off, and one that reads gets a whole clone in the same time", async () => {
  const { repository, commit } = await largeRepository();
  const served = await serveClones(repository.url, { limits: { patienceMs: 300 } });
  await served.mirror.refresh(new AbortController().signal);
  const socket = wantAll(served, commit);
  await clonedFrom(workerMirror(served.url).mirror);
  await expect.poll(() => serving(served)).toBe(0);
  await expect.poll(() => inService(served)).toBe(0);
  socket.resume();
  await expect.poll(() => socket.destroyed).toBe(true);
  expect(socket.bytesRead).toBeLessThan(24 * MIB);
});

test("a client that holds all its turns does not keep another one waiting", async () => {
  const { repository, commit } = await largeRepository();
  const served = await serveClones(repository.url, {
    limits: { running: 4, runningOfKey: 3, waitingOfKey: 5 },
    others: ["other"],
  });
  await served.mirror.refresh(new AbortController().signal);
  for (let count = 0; count < 8; count += 1) wantAll(served, commit);
  await expect.poll(() => inService(served)).toBe(3);
  await clonedFrom(workerMirror(served.url, "other").mirror);
  expect(inService(served)).toBe(3);
  // One more than may wait is refused at once.
  const refused = wantAll(served, commit);
  const answer = new Promise((resolve) => refused.once("data", (data) => resolve(String(data))));
  refused.resume();
  expect(await answer).toMatch(/^HTTP\/1.1 503 /);
});

test("a worker whose turn does not come in time asks again until it does", async () => {
  const { repository, commit } = await largeRepository();
  const limits = { running: 1, runningOfKey: 1, turnMs: 20 };
  const served = await serveClones(repository.url, { limits, others: ["other"] });
  await served.mirror.refresh(new AbortController().signal);
  const socket = wantAll(served, commit);
  await expect.poll(() => serving(served)).toBeGreaterThan(0);
  const clone = clonedFrom(workerMirror(served.url, "other").mirror);
  await expect.poll(() => served.seen.map(({ status }) => status)).toContain(503);
  socket.destroy();
  await clone;
});

test("a client that sends half a request takes no turn", async () => {
  const { repository, commit } = await largeRepository();
  const served = await serveClones(repository.url, { limits: { running: 1, runningOfKey: 1 } });
  wantAll(served, commit, 1_000);
  await clonedFrom(workerMirror(served.url).mirror);
  expect(inService(served)).toBe(0);
});
