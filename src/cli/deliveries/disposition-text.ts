import type { Models } from "../../client/client.ts";

type Disposition = Models["Disposition"];

/** What a delivery did, in words that follow what it is called. */
export function dispositionText({ kind, run_id: run, replaced_run_ids: replaced }: Disposition): string {
  switch (kind) {
    case "started":
      return `started run ${run}`;
    case "waiting":
      return `started run ${run}, which waits`;
    case "joined":
      return `joined run ${run}`;
    case "continued":
      return `continued run ${run}`;
    case "replaced":
      return `replaced ${replaced.join(", ")} with run ${run}`;
  }
}
