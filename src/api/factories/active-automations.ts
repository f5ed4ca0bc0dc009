import type { StoredResource } from "../../definitions/changes/plan.ts";
import type { Factory } from "../../reconcile/running-factory.ts";

/** The automations of the active definition. */
export function automationsOf({ active }: Factory): StoredResource[] {
  return active?.resources.filter((resource) => resource.kind === "automation" && !resource.deleted) ?? [];
}
