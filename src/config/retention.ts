import type { Config } from "./config.ts";
import { period } from "./values.ts";

/** How long things are kept, in milliseconds; what is not there is kept for ever. */
export interface Retention {
  deliveries: number;
  /** From the end of their runs on, as the others. */
  workspaces: number;
  transcripts?: number;
  runs?: number;
  /** Of runs that are there no more, from when it was told; that of others is kept with them. */
  usage: number;
}

/** The delivery log holds at least so much (spec, Limits). */
const MIN_LOG = "7d";
const WORKSPACES = "7d";
/** Enough to compare a month with the same one of the year before. */
const USAGE = "400d";

/** Reads `retention:` of the settings. @throws Error that says which is wrong and what was expected */
export function retentionOf({
  deliveries = MIN_LOG,
  workspaces = WORKSPACES,
  transcripts,
  runs,
  usage = USAGE,
}: Config["retention"]): Retention {
  return {
    deliveries: logRetentionMs(deliveries),
    workspaces: period(workspaces),
    usage: period(usage),
    ...(transcripts === undefined ? {} : { transcripts: period(transcripts) }),
    ...(runs === undefined ? {} : { runs: period(runs) }),
  };
}

function logRetentionMs(deliveries: string): number {
  const keep = period(deliveries);
  if (keep < period(MIN_LOG)) {
    throw new Error(`retention.deliveries: expected ${MIN_LOG} or longer, found ${deliveries}`);
  }
  return keep;
}
