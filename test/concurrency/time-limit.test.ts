import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { expect, test } from "vitest";
import { timeLimit } from "../../src/concurrency/promises.ts";
import { onFinished } from "../given/cleanup.ts";
import { silentHost } from "../given/raw-http.ts";
import { waitFor } from "../given/server.ts";

/** What a request to somebody who never answers ends with. Nothing but the request knows its limit. */
async function endOf(url: string, others: AbortSignal[] = []): Promise<string> {
  const ask = () => fetch(url, { signal: timeLimit(500, ...others).signal });
  return ask().then(String, (error) => error.name ?? String(error));
}

test("a limit of time ends what it limits, also when memory was collected in the meantime", async () => {
  setFlagsFromString("--expose-gc");
  const collect = runInNewContext("gc") as () => void;
  const { url } = await silentHost();
  const outcome: string[] = [];
  void endOf(url, [new AbortController().signal]).then((end) => outcome.push(end));
  const collecting = setInterval(collect, 50);
  onFinished(() => clearInterval(collecting));
  expect(await waitFor(() => outcome[0])).toBe("TimeoutError");
});

test("a limit of time ends early with one of the other signals, and not at all once it was let go", async () => {
  const other = new AbortController();
  const limit = timeLimit(60_000, other.signal);
  other.abort("enough");
  expect(limit.signal.reason).toBe("enough");
  limit.end();
  const short = timeLimit(1);
  short.end();
  await new Promise((resolve) => setTimeout(resolve, 20));
  expect(short.signal.aborted).toBe(false);
});
