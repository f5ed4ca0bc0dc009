import { expect, test } from "vitest";
import { aFactory, aFamily } from "../../given/factory.ts";
import { LATER } from "../../given/store.ts";

/** A run of a factory that has no agent and waits for its child, and one of another factory below it. */
async function ofTwoFactories() {
  const family = await aFamily(1);
  const { factories, runs, begin, addChild, parent } = family;
  const { uid: other } = await factories.create(aFactory("other"));
  const stranger = await addChild({ factoryUid: other });
  await begin();
  return { ...family, other, stranger, parent, rows: (sql: string) => family.connection.all(sql), runs };
}

test("a run does not wait for a run of another factory, named or not, although it is its parent", async () => {
  const { wait, stranger, children } = await ofTwoFactories();
  expect(await wait("all", [stranger])).toEqual({ refused: "not below", ids: [stranger] });
  expect(await wait("all")).toEqual({ state: "waiting", targets: children });
});

test("the deletion of a factory ends the waits of its runs, and none of another factory", async () => {
  const { factories, factoryDeletions, runs, wait, finish, parent, children, other, rows, find, connection } =
    await ofTwoFactories();
  const { uid: gone } = await factories.create(aFactory("gone"));
  const [child = ""] = children;
  await connection.run("UPDATE runs SET factory_uid = $1 WHERE run_id IN ($2, $3)", [gone, parent, child]);
  await wait();
  await finish(parent);
  await factoryDeletions.remove(other, LATER);
  expect(await find()).toMatchObject({ state: "INPROGRESS", waitingFor: [child] });
  await factoryDeletions.remove(gone, LATER);
  expect(await find()).toMatchObject({ state: "CANCELLED", waitingFor: null });
  expect(await rows("SELECT run_id FROM run_waits")).toEqual([]);
  // The agent of the child ends later, and begins nothing.
  await finish(child);
  expect(await runs.find(child)).toMatchObject({ state: "CANCELLED" });
  expect(await find()).toMatchObject({ state: "CANCELLED", turn: 1 });
});
