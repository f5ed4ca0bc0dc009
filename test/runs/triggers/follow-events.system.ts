import { describe, expect, test } from "vitest";
import { newUuid } from "../../../src/id.ts";
import { following, onEnds } from "../../given/following.ts";

const ANY_BUT = (name: string) => `{ automations: { not_in: [${name}] } }`;
const WATCH = onEnds({ watch: ANY_BUT("watch") });

describe("an event starts an automation once", () => {
  test("when the server is killed before the event is followed, and two follow it at the next start", async () => {
    const world = await following();
    const listening = await world.serve(WATCH);
    const first = world.start();
    await first.look();
    await first.follower.stop();
    const cause = await world.end();

    const [one, other] = [world.start(), world.start()];
    one.follower.activated(listening);
    other.follower.activated(listening);
    await Promise.all([one.look(), other.look()]);
    expect((await world.started()).map(({ ancestors }) => ancestors)).toEqual([[cause.id]]);
  });

  test("also when more end at once than one transaction starts", async () => {
    const world = await following();
    await world.serve(WATCH);
    const { look } = world.start();
    await look();
    for (let each = 0; each < 70; each += 1) await world.end();
    await look();
    const causes = (await world.started()).map(({ ancestors: [cause] }) => cause);
    expect(causes).toHaveLength(70);
    expect(new Set(causes).size).toBe(70);
  });

  test("unless the run goes on at once with a message that has waited", async () => {
    const world = await following();
    await world.serve(WATCH);
    const { look } = world.start();
    await look();
    const ticket = await world.begin();
    const person = { uid: "ann", type: "user", displayName: "Ann" } as const;
    const message = { id: newUuid(), runId: ticket.id, message: "And?", creator: person };
    await world.store.runs.followUp(message, null, new Date().toISOString());
    const end = { state: "SUCCEEDED", exitCode: 0, statusMessage: null } as const;
    await world.store.runs.finish(ticket, end, new Date().toISOString());
    await look();
    expect(await world.started()).toEqual([]);
  });
});

test("an event of which nothing can be made starts nothing, and those after it do", async () => {
  const world = await following();
  await world.serve(WATCH);
  const { triggers } = world.store;
  let broken: string | undefined;
  const findDetails: typeof triggers.findDetails = async (event) => {
    if (event.run?.id === broken) throw new Error("a stored value cannot be read");
    return triggers.findDetails(event);
  };
  world.store.triggers = new Proxy(triggers, {
    get: (target, name, self) => (name === "findDetails" ? findDetails : Reflect.get(target, name, self)),
  });
  const { look } = world.start();
  await look();
  const [first, second, third] = [await world.end(), await world.end(), await world.end()];
  broken = second.id;
  await look();
  const causes = (await world.started()).map(({ ancestors: [cause] }) => cause);
  expect(causes.toSorted()).toEqual([first.id, third.id].toSorted());
});

describe("what comes into force later", () => {
  test("sees what happens after it was stored, also before it is in force, and nothing starts twice", async () => {
    const world = await following();
    await world.serve(WATCH);
    const { look, follower } = world.start();
    await look();
    // As applying a revision does, in its transaction.
    await world.store.triggers.register([{ automationUid: "f-automation-late", factoryUid: "f" }]);
    const cause = await world.end({ automationUid: "f-automation-watch" });
    const other = await world.end();
    await look();
    follower.activated(
      await world.serve(onEnds({ watch: ANY_BUT("watch"), late: "{ automations: [watch] }" })),
    );
    await look();
    const started = await world.started();
    expect(started.map(({ automationUid, ancestors }) => [automationUid, ...ancestors]).toSorted()).toEqual([
      ["f-automation-late", cause.id],
      ["f-automation-watch", other.id],
    ]);
  });

  test("does not see what has happened before", async () => {
    const world = await following();
    await world.serve(WATCH);
    const { look, follower } = world.start();
    await look();
    await world.end();
    follower.activated(
      await world.serve(onEnds({ watch: ANY_BUT("watch"), late: "{ automations: [watch] }" })),
    );
    await look();
    await world.end({ automationUid: "f-automation-watch" });
    await look();
    const started = await world.started();
    expect(started.map(({ automationUid }) => automationUid).toSorted()).toEqual([
      "f-automation-late",
      "f-automation-watch",
    ]);
  });

  test("keeps what is deleted there from being started", async () => {
    const world = await following();
    await world.serve(WATCH);
    const first = world.start();
    await first.look();
    await first.follower.stop();
    await world.end();
    await world.serve(onEnds({}));
    await world.start().look();
    expect(await world.started()).toEqual([]);
  });
});

describe("automations that start each other end", () => {
  test("after three runs on one line, which the last run's timeline tells", async () => {
    const world = await following();
    await world.serve(onEnds({ again: "{ automations: [again], states: [CANCELLED] }" }));
    const { look } = world.start();
    await look();
    let run = await world.end({ automationUid: "f-automation-again" });
    for (let turn = 0; turn < 2; turn += 1) {
      await look();
      const [next] = (await world.started()).filter(({ ancestors }) => ancestors.at(-1) === run.id);
      run = next ?? expect.unreachable();
      await world.store.runs.cancel(run.id, new Date().toISOString());
    }
    await look();
    expect(await world.started()).toHaveLength(2);
    expect(world.refused).toEqual(["loop"]);
    const events = await world.store.runs.listEvents(run.id, { limit: 10 });
    expect(events.at(-1)).toMatchObject({
      type: "trigger_refused",
      payload: { turn: 1, automation: "again", reason: expect.stringContaining("3 runs") },
    });
  });

  test("when their family is full", async () => {
    const world = await following();
    await world.serve(WATCH);
    const { look } = world.start();
    await look();
    const root = await world.create();
    for (let each = 0; each < 48; each += 1) await world.create({ ancestors: [root.id] });
    for (let each = 0; each < 2; each += 1) await world.end({ ancestors: [root.id] });
    await look();
    expect(await world.started()).toHaveLength(0);
    expect(world.refused).toEqual(["family", "family"]);
  });
});

test("changes are kept until they were followed, and no longer than that", async () => {
  const world = await following();
  await world.serve(WATCH);
  const first = world.start();
  await first.look();
  await first.follower.stop();
  await world.end();
  await world.store.runs.updateListing(1_000);
  const { deliverySearch, changes } = world.store;
  while ((await deliverySearch.addSearched(await deliverySearch.listUnsearched(200))).changes > 0);
  const { last } = await changes.findRange();
  await changes.prune(0, 1_000);
  expect(await changes.findRange()).toMatchObject({ last });
  await world.start().look();
  expect(await world.started()).toHaveLength(1);
});
