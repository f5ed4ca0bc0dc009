import type { StoredResource } from "../../definitions/changes/plan.ts";
import { MillraceError } from "../../errors/error.ts";
import type { Factory } from "../../reconcile/running-factory.ts";
import type { Pause } from "../../runs/rules/pause.ts";
import type { BodyOf } from "../http/endpoint.ts";

type Scope = Pick<Pause, "factoryUid" | "webhookUid" | "automationUid" | "name">;
type Kind = "webhook" | "automation";

/**
 * Finds what a request wants to pause among the factories that its key reaches; nothing of it means the server.
 * @throws MillraceError `invalid_request` for two things at once, or a name that several factories have;
 *   `resource_not_found`
 */
export function pausedScope(request: BodyOf<"createPause">, reached: readonly Factory[]): Scope {
  const { factory: named, webhook, automation } = request;
  const candidates = named === undefined ? reached : [findFactory(named, reached)];
  if (webhook !== undefined && automation !== undefined) {
    throw new MillraceError("invalid_request", "A pause applies to a webhook or an automation, not both.", {
      remedy: "Create a separate pause for each.",
      extra: { field: "automation" },
    });
  }
  if (webhook !== undefined) return resourceScope("webhook", webhook, candidates);
  if (automation !== undefined) return resourceScope("automation", automation, candidates);
  const factoryUid = named === undefined ? null : (candidates[0]?.record.uid ?? null);
  return { factoryUid, webhookUid: null, automationUid: null, name: null };
}

function findFactory(named: string, reached: readonly Factory[]): Factory {
  const found = reached.find(({ record }) => record.uid === named || record.name === named);
  if (found) return found;
  throw new MillraceError("resource_not_found", `There is no factory "${named}" on this server.`, {
    remedy: "`millrace status` shows the factories that the key can access.",
    extra: { field: "factory" },
  });
}

function resourceScope(kind: Kind, named: string, candidates: readonly Factory[]): Scope {
  const found = candidates.flatMap((factory) =>
    resourcesOf(factory, kind)
      .filter(({ uid, name }) => uid === named || name === named)
      .map((resource) => ({ factory, resource })),
  );
  const [only, another] = found;
  if (!only) {
    throw new MillraceError(
      "resource_not_found",
      `There is no ${kind} "${named}" in ${nameAll(candidates)}.`,
      {
        remedy: `\`millrace ${kind}s list\` shows the ${kind}s of a factory.`,
        extra: { field: kind },
      },
    );
  }
  if (another) {
    const all = found.map(({ factory }) => factory);
    throw new MillraceError(
      "invalid_request",
      `Several factories have a ${kind} "${named}": ${nameAll(all)}.`,
      {
        remedy: "Specify the factory as well.",
        extra: { field: "factory" },
      },
    );
  }
  const { factory, resource } = only;
  const uids = { webhookUid: null, automationUid: null, [`${kind}Uid`]: resource.uid };
  return { factoryUid: factory.record.uid, ...uids, name: resource.name };
}

function resourcesOf({ active }: Factory, kind: Kind): StoredResource[] {
  return active?.resources.filter((resource) => resource.kind === kind && !resource.deleted) ?? [];
}

function nameAll(factories: readonly Factory[]): string {
  if (factories.length === 0) return "any factory that the key can access";
  return factories.map(({ record }) => `"${record.name}"`).join(", ");
}
