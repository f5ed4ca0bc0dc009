import { expect, test } from "vitest";
import { automationWith } from "../given/definition.ts";
import { aPostgresDatabase } from "../given/postgres.ts";
import { ADMIN_KEY, waitFor } from "../given/server.ts";
import { serversOn, severalServers } from "../given/several-servers.ts";

/** `TIMES=50 npm run test:postgres -- test/server/promises` does what is shown here 50 times as often. */
const TIMES = Number(process.env.TIMES ?? 1);
const MINUTES_MS = 60_000 * (1 + TIMES);
const authorization = `Bearer ${ADMIN_KEY}`;

type OneOfTwo = Awaited<ReturnType<typeof twoOfOneFactory>>["a"];

/** Two servers of one factory that millrace keeps. */
async function twoOfOneFactory() {
  const { start } = await serversOn(await aPostgresDatabase(), []);
  const a = await start();
  const b = await start();
  const { factories } = await a.server.api<{ factories: { uid: string }[] }>("GET", "/factories");
  return { a, b, path: `/factories/${factories[0]?.uid}/webhooks` };
}

async function change({ server }: OneOfTwo, method: string, path: string, body?: object): Promise<void> {
  const answer = await server.fetch(`/api/v1${path}`, {
    method,
    headers: { authorization, "content-type": "application/json", "if-match": "*" },
    ...(body ? { body: JSON.stringify(body) } : {}),
  });
  if (!answer.ok) throw new Error(`${method} ${path} answered ${answer.status}: ${await answer.text()}`);
}

test(
  "a rotation, a disabling or a deletion that one server has answered is never missed at another one",
  async () => {
    const { a, b, path } = await twoOfOneFactory();
    const statuses: Record<string, Set<number>> = {};
    let sent = 0;
    const note = async (what: string, url: string, secret: string) => {
      sent += 1;
      const answer = await fetch(b.server.url + new URL(url).pathname, {
        method: "POST",
        headers: { authorization: `Bearer ${secret}` },
        body: JSON.stringify({ sent }),
      });
      await answer.arrayBuffer();
      statuses[what] = (statuses[what] ?? new Set()).add(answer.status);
    };
    for (let round = 0; round < 7 * TIMES; round += 1) {
      const { uid, url, secret } = await a.server.api<{ uid: string; url: string; secret: string }>(
        "POST",
        path,
        { name: `w${round}` },
      );
      await note("made", url, secret);
      const rotated = (await a.server.api<{ secret: string }>("POST", `${path}/${uid}/rotate-secret`)).secret;
      await note("old secret", url, secret);
      await note("new secret", url, rotated);
      await change(a, "PATCH", `${path}/${uid}`, { enabled: false });
      await note("disabled", url, rotated);
      await change(a, "PATCH", `${path}/${uid}`, { enabled: true });
      await note("enabled", url, rotated);
      await change(a, "DELETE", `${path}/${uid}`);
      await note("deleted", url, rotated);
    }
    const found = Object.fromEntries(Object.entries(statuses).map(([what, all]) => [what, [...all]]));
    expect(found).toEqual({
      ...{ made: [202], "old secret": [401], "new secret": [202] },
      ...{ disabled: [404], enabled: [202], deleted: [404] },
    });
  },
  MINUTES_MS,
);

test(
  "of edits that two servers take at the same time none is lost: each is there, or its sender was told",
  async () => {
    const { a, b, path } = await twoOfOneFactory();
    for (let round = 0; round < 8 * TIMES; round += 1) {
      const answered = await Promise.all([a, b].map((each, at) => create(each, path, `w${round}-${at}`)));
      const taken = answered.filter((name) => name !== undefined);
      for (const { server } of [a, b]) await waitFor(async () => isThere(await listed(server, path), taken));
      expect(taken.length).toBeGreaterThan(0);
      for (const { uid } of await listed(a.server, path)) await change(a, "DELETE", `${path}/${uid}`);
    }
  },
  MINUTES_MS,
);

/** @returns the name of the webhook; nothing when its sender was told to try again */
async function create({ server }: OneOfTwo, path: string, name: string): Promise<string | undefined> {
  const answer = await server.fetch(`/api/v1${path}`, {
    method: "POST",
    headers: { authorization, "content-type": "application/json" },
    body: JSON.stringify({ name }),
  });
  if (!answer.ok) expect([409, 503], await answer.text()).toContain(answer.status);
  return answer.ok ? name : undefined;
}

async function listed({ api }: OneOfTwo["server"], path: string) {
  return (await api<{ webhooks: { uid: string; name: string }[] }>("GET", path)).webhooks;
}

function isThere(webhooks: readonly { name: string }[], names: readonly string[]): boolean {
  return JSON.stringify(webhooks.map(({ name }) => name).sort()) === JSON.stringify([...names].sort());
}

/** Says when it begins and when it ends, by the clock of the machine. */
const TIMED = `
  console.log("begun " + process.hrtime.bigint());
  await new Promise((resolve) => setTimeout(resolve, 50));
  console.log("ended " + process.hrtime.bigint());
`;

test(
  "a limit on the runs of an automation at once holds across three servers",
  async () => {
    const capped = `${automationWith(
      "triggers: [{ provider: webhook, event: received, millrace: { webhooks: [w] } }]\nmillrace: { concurrency: 2 }",
    )}`;
    const { servers, urlAt } = await severalServers(3, {
      agent: TIMED,
      files: { "automations/a.md": capped },
    });
    const [first] = servers;
    if (!first) throw new Error("three servers were asked for");
    const count = 60 * TIMES;
    const ids: string[] = [];
    for (let n = 0; n < count; n += 1) {
      const at = servers[n % servers.length] ?? first;
      ids.push(await at.story.accept(urlAt(at), "ci-secret", JSON.stringify({ n })));
    }
    const moments: { at: bigint; change: number }[] = [];
    for (const id of ids) {
      const run = await waitFor(async () => {
        const { run_ids } = await first.story.delivery(id);
        const found = await first.story.run(run_ids[0] ?? "");
        return found.state === "SUCCEEDED" ? found : undefined;
      }, 60 + count);
      const written = await first.story.transcript(run.run_id);
      for (const [, what, at] of written.matchAll(/(begun|ended) (\d+)/g))
        moments.push({ at: BigInt(at ?? 0), change: what === "begun" ? 1 : -1 });
    }
    expect(moments).toHaveLength(2 * count);
    moments.sort((x, y) => (x.at < y.at ? -1 : x.at > y.at ? 1 : x.change - y.change));
    let now = 0;
    let most = 0;
    for (const { change } of moments) {
      now += change;
      most = Math.max(most, now);
    }
    expect(most).toBe(2);
  },
  MINUTES_MS,
);

test(
  "three readers of events at three servers are told of every delivery once, in the same order",
  async () => {
    const { servers, urlAt } = await severalServers(3);
    const [first] = servers;
    if (!first) throw new Error("three servers were asked for");
    const count = 40 * TIMES;
    const readers = await Promise.all(
      servers.map(async ({ server }) => {
        const stream = await server.fetch("/api/v1/events", { headers: { authorization } });
        const reader = stream.body?.pipeThrough(new TextDecoderStream()).getReader();
        return { reader, text: "" };
      }),
    );
    const ids = new Set<string>();
    await Promise.all(
      servers.map(async (each, at) => {
        for (let n = 0; n < count; n += 1)
          ids.add(await each.story.accept(urlAt(each), "ci-secret", JSON.stringify({ n, at })));
      }),
    );
    const told: string[][] = [];
    for (const each of readers) {
      const order = () =>
        each.text
          .split("\n\n")
          .map((event) => [...ids].find((id) => event.includes(`"${id}"`) && /event: *delivery/.test(event)))
          .filter((id) => id !== undefined);
      await waitFor(async () => {
        const { value } = (await each.reader?.read()) ?? {};
        each.text += value ?? "";
        return order().length >= ids.size;
      }, 60);
      told.push(order() as string[]);
      await each.reader?.cancel();
    }
    expect(new Set(told[0])).toEqual(ids);
    for (const each of told) {
      expect(each).toHaveLength(ids.size);
      expect(each).toEqual(told[0]);
    }
  },
  MINUTES_MS,
);
