import { expect, test } from "vitest";
import { gatherCalls } from "../../src/store/gather-calls.ts";

test("whoever asked for what is committed hears of it, also when somebody who follows the commits fails", async () => {
  const failures: string[] = [];
  const { carry } = gatherCalls({
    send: async (calls) => calls.map(({ method }) => ({ value: method })),
    onCommit([call]) {
      if (call?.method === "first") throw new Error("a follower is broken");
    },
    onFailure: (message) => failures.push(message),
  });
  const ask = (method: string) => carry({ port: "runs", method, args: [] });
  const first = ask("first");
  expect(await first).toBe("first");
  expect(await ask("second")).toBe("second");
  expect(failures).toEqual(["what was committed could not be announced: a follower is broken"]);
});
