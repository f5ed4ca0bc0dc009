import { expect, test } from "vitest";
import { createTurns } from "../../src/messages/start-outbox.ts";

/** Work that ends when it is told to. */
function work() {
  let end = () => {};
  const ended = new Promise<void>((resolve) => {
    end = resolve;
  });
  return { begin: () => ended, end: () => end() };
}

function stage(most: number) {
  const turns = createTurns(most);
  const begun: string[] = [];
  return {
    begun,
    take(of: string) {
      const { begin, end } = work();
      const taken = turns.take(of, () => {
        begun.push(of);
        return begin();
      });
      return {
        async end() {
          end();
          await taken;
        },
      };
    },
  };
}

test("so many go on at a time, and the others follow in their order", async () => {
  const { take, begun } = stage(2);
  const [first, , third] = [take("a"), take("a"), take("a"), take("a")];
  expect(begun).toHaveLength(2);
  await first?.end();
  expect(begun).toHaveLength(3);
  await third?.end();
  expect(begun).toHaveLength(4);
});

test("one who has nothing going on does not wait for those who keep every turn", async () => {
  const { take, begun } = stage(3);
  for (const of of ["a", "a", "b", "a", "b", "b"]) take(of);
  expect(begun).toEqual(["a", "a", "b"]);
  const own = take("victim");
  expect(begun).toEqual(["a", "a", "b", "victim"]);
  take("victim");
  await own.end();
  // It is above the most, but has none.
  expect(begun.at(-1)).toBe("victim");
});

test("those who have the fewest going on come next", async () => {
  const { take, begun } = stage(4);
  const first = take("a");
  for (const of of ["a", "a", "b", "a", "b"]) take(of);
  expect(begun).toEqual(["a", "a", "a", "b"]);
  await first.end();
  expect(begun).toEqual(["a", "a", "a", "b", "b"]);
});
