import { expect, test } from "vitest";
import { fairTurns } from "../../src/concurrency/fair-turns.ts";

const never = () => new AbortController().signal;
const LIMITS = { running: 3, runningOfKey: 2, waiting: 4, waitingOfKey: 2 };

/** Takes turns and notes which of them have begun. */
function taking(limits = LIMITS) {
  const turns = fairTurns(limits);
  const begun: string[] = [];
  const ends = new Map<string, () => void>();
  const take = async (name: string, signal = never()) => {
    const end = await turns.take(name[0] ?? "", signal);
    if (!end) return false;
    begun.push(name);
    ends.set(name, end);
    return true;
  };
  const settled = () => new Promise((resolve) => setImmediate(resolve));
  return { take, begun, settled, end: (name: string) => ends.get(name)?.() };
}

test("one key does not get all turns, and those that wait longest go first", async () => {
  const { take, begun, settled, end } = taking();
  const taken = ["a1", "a2", "a3", "b1", "c1", "a4"].map((name) => take(name));
  await settled();
  expect(begun).toEqual(["a1", "a2", "b1"]);
  end("b1");
  await settled();
  expect(begun).toEqual(["a1", "a2", "b1", "c1"]);
  end("a1");
  await settled();
  expect(begun.at(-1)).toBe("a3");
  end("a1");
  end("a3");
  await Promise.all(taken);
  expect(begun.at(-1)).toBe("a4");
});

test("no more wait than may, of one key and of all", async () => {
  const { take, settled } = taking();
  for (const name of ["a1", "a2", "b1", "a3", "a4"]) void take(name);
  await settled();
  expect(await take("a5")).toBe(false);
  void take("b2");
  void take("c1");
  expect(await take("d1")).toBe(false);
});

test("one that gives up loses its place, and takes no turn", async () => {
  const { take, begun, settled, end } = taking({ ...LIMITS, running: 1 });
  await take("a1");
  const leaving = new AbortController();
  const left = take("b1", leaving.signal);
  const next = take("c1");
  leaving.abort(new Error("gone"));
  await expect(left).rejects.toThrow("gone");
  end("a1");
  await next;
  const late = take("d1", leaving.signal);
  await expect(late).rejects.toThrow("gone");
  await settled();
  expect(begun).toEqual(["a1", "c1"]);
});

test("a turn that comes in the moment its taker gives up is passed on", async () => {
  const { take, begun, end } = taking({ ...LIMITS, running: 1 });
  await take("a1");
  const leaving = new AbortController();
  const left = take("b1", leaving.signal);
  const next = take("c1");
  leaving.abort(new Error("gone"));
  end("a1");
  await expect(left).rejects.toThrow("gone");
  await next;
  expect(begun).toEqual(["a1", "c1"]);
});
