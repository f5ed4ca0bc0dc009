import type { Millrace } from "../../client/client.ts";
import { MillraceError } from "../../errors/error.ts";
import { printError } from "../output.ts";
import { findByStart } from "../short-ids.ts";

/** Ids begin with the milliseconds of their making, in so many digits. */
const TIME_DIGITS = 12;
/** The server searches for runs by so many digits of their ids; fewer do not tell an id from a word. */
const LEAST_SEARCHED = 8;
/** What a run is stored at may differ from its id by as much. */
const SLACK_MS = 60_000;
/** How commands describe the argument of `findRunOrLatest`. */
export const RUN_OR_LATEST = "run ID, or its first characters (default: the first run of `runs list`)";
/** A start that so many runs share says too little. */
const MAX_RUNS = 2_000;
/** Another run would have to be made in the far future. */
const LATEST_MS = Date.UTC(9999, 0);

/**
 * The id of the run whose id begins like this.
 * @throws MillraceError when none does or several do
 */
export function findRunId(client: Millrace, start: string): Promise<string> {
  return findByStart({
    what: ["run", "runs"],
    start,
    shownBy: "millrace runs list",
    limit: {
      most: MAX_RUNS,
      message: `Too many runs to search for an ID that begins with ${start}.`,
      remedy: "Enter more characters of the ID.",
    },
    async *candidates(digits) {
      const query = digits.length < LEAST_SEARCHED ? { ...timesOf(digits), limit: 500 } : { q: digits };
      for await (const { run_id, state, title } of client.runs.list(query))
        yield { id: run_id, about: `${state}  ${title}` };
    },
  });
}

/** The id of the run that begins like this, or of the first one of `runs list`. @throws MillraceError without any run */
export async function findRunOrLatest(client: Millrace, start: string | undefined): Promise<string> {
  if (start !== undefined) return findRunId(client, start);
  const [latest] = (await client.runs.list({ limit: 1 })).items;
  if (!latest) {
    throw new MillraceError("resource_not_found", "No runs yet.", {
      remedy: "Start one: `millrace runs create PROMPT`.",
    });
  }
  printError(`Run ${latest.run_id}, ${latest.title}:`);
  return latest.run_id;
}

/** When runs with such ids were made. */
function timesOf(digits: string): { created_after: string; created_before: string } {
  const time = digits.slice(0, TIME_DIGITS);
  const instant = (filler: string, slack: number) => {
    const at = Number.parseInt(time.padEnd(TIME_DIGITS, filler), 16) + slack;
    return new Date(Math.min(Math.max(at, 0), LATEST_MS)).toISOString();
  };
  return { created_after: instant("0", -SLACK_MS), created_before: instant("f", SLACK_MS) };
}
