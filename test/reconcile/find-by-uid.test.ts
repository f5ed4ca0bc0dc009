import { expect, test } from "vitest";
import { findByUid } from "../../src/reconcile/factories.ts";
import type { RunningFactory } from "../../src/reconcile/running-factory.ts";

test("a factory that is named after the uid of another one does not get what is that one's", () => {
  const named = { record: { uid: "own-uid", name: "uid-of-another" } } as RunningFactory;
  const factories = {
    find: (asked: string) => (["own-uid", "uid-of-another"].includes(asked) ? named : undefined),
  };
  expect(findByUid("own-uid", factories)).toBe(named);
  expect(findByUid("uid-of-another", factories)).toBeUndefined();
  expect(findByUid(null, factories)).toBeUndefined();
});
