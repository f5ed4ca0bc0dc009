import type { Millrace } from "../client/client.ts";
import { MillraceError } from "../error.ts";
import { isUuid } from "../id.ts";

/** Ids begin with the milliseconds of their making, in so many digits. */
const TIME_DIGITS = 12;
/** What a run is stored at may differ from its id by as much. */
const SLACK_MS = 60_000;
/** A start that so many runs share says too little. */
const MOST_LOOKED_AT = 2_000;
/** Another run would have to be made in the far future. */
const LATEST_MS = Date.UTC(9999, 0);

/**
 * The id of the run whose id begins like this.
 * @throws MillraceError when none does or several do
 */
export async function findRunId(client: Millrace, start: string): Promise<string> {
  if (isUuid(start.toLowerCase())) return start;
  const digits = start.toLowerCase().replaceAll("-", "");
  const found: string[] = [];
  let looked = 0;
  for await (const { run_id: id } of client.runs.list({ ...timesOf(digits), limit: 500 })) {
    if (id.replaceAll("-", "").startsWith(digits)) found.push(id);
    looked += 1;
    if (found.length > 1 || looked === MOST_LOOKED_AT) break;
  }
  const [id, another] = found;
  if (id !== undefined && another === undefined && looked < MOST_LOOKED_AT) return id;
  if (id === undefined && looked < MOST_LOOKED_AT) {
    throw new MillraceError("resource_not_found", `There is no run whose id begins with ${start}.`, {
      remedy: "`millrace runs list` shows the ids of runs.",
    });
  }
  if (found.length < 2) {
    const message = `Too many runs were made in the time in which ids begin with ${start}.`;
    throw new MillraceError("invalid_request", message, { remedy: "Write more of the id." });
  }
  throw new MillraceError("invalid_request", `More than one run has an id that begins with ${start}.`, {
    remedy: `Write more of it, for example ${found.join(" or ")}.`,
  });
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
