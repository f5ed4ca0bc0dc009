import { randomUUID } from "node:crypto";
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { expect, test } from "vitest";
import { aDispatcher, aProgram } from "../../given/backend.ts";
import { aTurn, doorServer, idle } from "../../given/door-server.ts";
import { temporaryFolder } from "../../given/folder.ts";
import { waitFor } from "../../given/server.ts";
import { aWorker } from "../../given/workers.ts";

test("a server cannot have a worker write or remove anything outside of its data folder", async () => {
  const outside = temporaryFolder("outside");
  writeFileSync(join(outside, "precious.txt"), "mine");
  const dataDir = join(temporaryFolder("millrace-worker"), "data");
  mkdirSync(dirname(dataDir), { recursive: true });
  const up = "../../".repeat(20);
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

interface Given {
  harness?: string;
  attachments: object[];
  skills: object[];
}

test("a server cannot have a worker write outside of a workspace, nor start a program that it has no settings for", async () => {
  const outside = temporaryFolder("outside");
  writeFileSync(join(outside, "precious.txt"), "mine");
  const dataDir = join(temporaryFolder("millrace-worker"), "data");
  mkdirSync(dirname(dataDir), { recursive: true });
  const way = relative("/", outside);
  const up = `${"../../".repeat(20)}${way}`;
  const bytes = { $base64: Buffer.from("theirs").toString("base64") };
  const names = [`${up}/x`, `/${way}/x`, "..", "", "a/../../x", `${up}/precious.txt`];
  const skill = (name: string, path = "a.txt") => ({
    ...{ name, content: "theirs" },
    files: [{ path, content: "theirs" }],
  });
  const skills = [skill(up), skill(".."), skill("ok", `${up}/x`), skill("ok", "../../../x"), skill("", "x")];
  const programs = ["/bin/sh", "../../bin/sh", "constructor", "__proto__"];
  const given = [
    ...names.map((name) => ({ attachments: [{ name, content: bytes }], skills: [] })),
    ...skills.map((each) => ({ attachments: [], skills: [each] })),
    ...programs.map((harness) => ({ harness, attachments: [], skills: [] })),
    { attachments: [{ name: "fine.txt", content: bytes }], skills: [skill("fine")] },
  ];
  const turns = given.map(({ harness: type = "oz", ...what }: Given) => ({
    ...aTurn({ execution: { harness: { type }, secrets: [] } }),
    what,
  }));
  const whatOf = (id: string | undefined) => turns.find(({ run }) => run.id === id)?.what;
  const endings = new Map<string, { state: string; statusMessage: { message: string } | null }>();
  let handedOut = 0;
  const next = () => {
    if (handedOut >= turns.length || handedOut > endings.size) return [];
    handedOut += 1;
    return [turns[handedOut - 1]];
  };
  const server = await doorServer((path, { turns: known = [], call, turn, parameters }) => {
    const standing = { isCancelled: false, news: "", isForgotten: false };
    if (path === "beat") return { ...idle, turns: known.map(({ id }) => ({ id, ...standing })) };
    if (path === "claim") return { ...idle, turns: next() };
    const what = whatOf(turn?.id);
    if (call === "listAttachments") return { result: what?.attachments };
    if (call === "findAttachment") return { result: what?.attachments[0] };
    if (call === "findSkills") return { result: { defined: what?.skills, asked: [] } };
    if (call === "start") return { result: true };
    if (call === "finish") endings.set(turn?.id ?? "", parameters?.ending as never);
    return { result: call?.startsWith("list") ? [] : {} };
  });
  await aWorker(server, { dataDir, token: "mrw_x" });
  await waitFor(() => endings.size === given.length || undefined, 120);
  const states = turns.map(({ run }) => endings.get(run.id)?.state);
  expect(states).toEqual([...Array(given.length - 1).fill("FAILED"), "SUCCEEDED"]);
  const reasons = turns.map(({ run }) => endings.get(run.id)?.statusMessage?.message);
  for (const reason of reasons.slice(0, names.length + skills.length))
    expect(reason).toMatch(/could not be prepared: .*expected the name of a file or folder/);
  expect(readdirSync(outside)).toEqual(["precious.txt"]);
  expect(readFileSync(join(outside, "precious.txt"), "utf8")).toBe("mine");
  expect(readdirSync(dirname(dataDir))).toEqual(["data"]);
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
