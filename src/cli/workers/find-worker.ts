import type { Millrace, Models } from "../../client/client.ts";
import { MillraceError } from "../../errors/error.ts";
import { MAX_PAGE } from "../arguments.ts";

/**
 * The only worker of a name, or the one with this id.
 * @throws MillraceError `resource_not_found` when there is none, `invalid_request` when the name is that of a pool of several
 */
export async function findWorker(client: Millrace, given: string): Promise<Models["Worker"]> {
  const all = await client.workers.list({ limit: MAX_PAGE }).toArray();
  const byId = all.find(({ id }) => id === given);
  if (byId) return byId;
  const [only, another, ...others] = all.filter(({ name }) => name === given);
  if (only && another) {
    const ids = [only, another, ...others].map(({ id }) => id).join(", ");
    throw new MillraceError("invalid_request", `Several workers have the name "${given}": ${ids}.`, {
      remedy: "Pass the ID of one of them.",
    });
  }
  if (only) return only;
  throw new MillraceError("resource_not_found", `There is no worker with the name or ID "${given}".`, {
    remedy: "Run `millrace workers list` to list all workers.",
  });
}
