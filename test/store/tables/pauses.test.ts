import { describe, expect, test } from "vitest";
import { NO_CAPS } from "../../../src/runs/caps.ts";
import type { Pause } from "../../../src/runs/rules/pause.ts";
import type { NewRun } from "../../../src/runs/run.ts";
import { aStoreOf } from "../../given/factory.ts";
import { AT, aRun, aStore, LATER, LEASE } from "../../given/store.ts";

const aPause = (changes: Partial<Pause> = {}): Pause => ({
  id: "p",
  factoryUid: null,
  webhookUid: null,
  automationUid: null,
  name: null,
  reason: null,
  createdBy: { uid: "u", type: "user", displayName: "ada" },
  createdAt: AT,
  ...changes,
});

/** A store with a waiting run for each place, titled by it, under one pause. */
async function paused(pause: Partial<Pause>, places: Record<string, Partial<NewRun>>) {
  const store = await aStoreOf("f", "g");
  for (const [title, place] of Object.entries(places)) await store.runs.create(aRun({ title, ...place }), AT);
  await store.pauses.create(aPause(pause));
  const claim = async (limit = 100) =>
    (await store.runs.claim(limit, LEASE, AT, NO_CAPS)).map(({ run }) => run.title);
  return { store, claim };
}

const PLACES = {
  none: {},
  factory: { factoryUid: "f" },
  hook: { factoryUid: "f", automationUid: "a", webhookUid: "w" },
  "other hook": { factoryUid: "f", automationUid: "a", webhookUid: "v" },
  "other automation": { factoryUid: "f", automationUid: "b", webhookUid: "w" },
  "other factory": { factoryUid: "g", automationUid: "c", webhookUid: "x" },
};

describe("a pause holds the waiting runs", () => {
  test.each([
    ["of the whole server", {}, []],
    ["of a factory", { factoryUid: "f" }, ["none", "other factory"]],
    [
      "of a webhook",
      { factoryUid: "f", webhookUid: "w" },
      ["none", "factory", "other hook", "other factory"],
    ],
    [
      "of an automation",
      { factoryUid: "f", automationUid: "a" },
      ["none", "factory", "other automation", "other factory"],
    ],
  ])("%s, and no others", async (_, scope, started) => {
    const { store, claim } = await paused(scope, PLACES);
    expect(await claim()).toEqual(started);
    expect(await store.pauses.end("p", LATER)).toBe(true);
    const rest = Object.keys(PLACES).filter((title) => !(started as string[]).includes(title));
    expect(await claim()).toEqual(rest);
  });

  test("however many of them wait before one that is not held, and in its own automation", async () => {
    const held = Object.fromEntries(Array.from({ length: 50 }, (_, n) => [`held ${n}`, PLACES.hook]));
    const { claim } = await paused({ webhookUid: "w" }, { ...held, free: PLACES["other hook"] });
    expect(await claim(2)).toEqual(["free"]);
  });
});

test("a pause holds the waiting runs of its webhook also when that adopts another uid", async () => {
  const { store, claim } = await paused({ factoryUid: "f", webhookUid: "w" }, PLACES);
  const adoption = { uid: "w", formerUid: "before", credential: undefined, expects: 0, at: LATER };
  expect(await store.factories.adoptUid("f", adoption)).toBe("adopted");
  expect(await claim()).toEqual(["none", "factory", "other hook", "other factory"]);
});

test("of two pauses of one thing the first one stays, regardless of who requests the second", async () => {
  const { pauses } = await aStore();
  const [first, second] = await Promise.all([
    pauses.create(aPause({ id: "p1", factoryUid: "f", reason: "deploying" })),
    pauses.create(aPause({ id: "p2", factoryUid: "f", reason: "other" })),
  ]);
  expect(first).toMatchObject({ isNew: true, pause: { id: "p1" } });
  expect(second).toMatchObject({ isNew: false, pause: { id: "p1", reason: "deploying" } });
  expect(await pauses.list()).toEqual([aPause({ id: "p1", factoryUid: "f", reason: "deploying" })]);
  expect(await pauses.end("p2", LATER)).toBe(false);
});

test("pauses are identified by what they pause and its factory, also where two things have one uid", async () => {
  const { store, claim } = await paused(
    { factoryUid: "f", webhookUid: "u", automationUid: null },
    {
      "webhook of f": { factoryUid: "f", webhookUid: "u" },
      "webhook of g": { factoryUid: "g", webhookUid: "u" },
      "automation of g": { factoryUid: "g", automationUid: "u" },
    },
  );
  expect(await claim()).toEqual(["webhook of g", "automation of g"]);
  const others = [
    aPause({ id: "automation", factoryUid: "f", automationUid: "u" }),
    aPause({ id: "other webhook", factoryUid: "g", webhookUid: "u" }),
    aPause({ id: "factory", factoryUid: "u" }),
  ];
  for (const pause of others) expect((await store.pauses.create(pause)).isNew, pause.id).toBe(true);
  const again = await store.pauses.create(aPause({ id: "again", factoryUid: "f", automationUid: "u" }));
  expect(again).toMatchObject({ isNew: false, pause: { id: "automation" } });
});
