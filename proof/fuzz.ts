import { readFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { isRunning } from "../test/given/processes.ts";
import { sendRaw } from "../test/given/raw-http.ts";
import { type BadRequest, badRequest } from "./given/bad-request.ts";
import type { HarmPart } from "./given/part.ts";
import { ADMIN_KEY } from "./given/sent.ts";

const AT_ONCE = 4;

/** Sends what no honest sender would: to every address there is, with wrong and with right credentials. */
export const fuzz: HarmPart = {
  name: "fuzz",
  share: 0.05,
  prepare: () => ({ options: {} }),
  async harm({ stage, chance, isOver }) {
    const { pid, url } = stage.server;
    const broken: string[] = [];
    const operations = operationsOf("../schemas/openapi.json");
    let faults = 0;
    const attack = async () => {
      while (!isOver() && isRunning(pid)) {
        faults += 1;
        const bad = badRequest(chance, { operations, paths: stage.paths, adminKey: ADMIN_KEY });
        for (const status of await answersTo(url, bad))
          if (status >= 500 || bad.neverAnswered.includes(status)) broken.push(`${status}: ${bad.says}`);
        await sleep(chance.below(20));
      }
    };
    await Promise.all(Array.from({ length: AT_ONCE }, attack));
    if (!isRunning(pid)) broken.push("the server has ended");
    return {
      faults,
      mostCutOff: 0,
      broken,
      note: `${operations.length} operations of the API, and the ingress`,
    };
  },
};

async function answersTo(url: string, bad: BadRequest): Promise<number[]> {
  if (bad.raw) return (await sendRaw(url, bad.raw, { waitMs: 50 })).statuses;
  try {
    const answer = await fetch(url + bad.path, { ...bad.init, signal: AbortSignal.timeout(20_000) });
    await answer.body?.cancel();
    return [answer.status];
  } catch {
    // The connection was closed before all was sent, which is an answer too; a server that is gone is noticed elsewhere.
    return [];
  }
}

/** Every operation of the API, as `METHOD /path/{name}`. Streams that never end are left out. */
function operationsOf(file: string): string[] {
  const { paths } = JSON.parse(readFileSync(new URL(file, import.meta.url), "utf8"));
  return Object.entries<object>(paths)
    .flatMap(([path, methods]) => Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`))
    .filter((operation) => /^(GET|PUT|POST|PATCH|DELETE) /.test(operation) && !/\/events$/.test(operation));
}
