import { secretNamesOf } from "../definitions/rules/check-server.ts";
import { errorMessage, inShell } from "../errors/error.ts";
import type { Factories } from "./factories.ts";
import type { Factory } from "./running-factory.ts";
import { goesBy, type SecretRotation } from "./webhook-credentials.ts";

/** A webhook of another factory that goes by the same secret. */
export interface SharingWebhook {
  /** The name of its factory. */
  factory: string;
  webhook: string;
}

/** One that still goes by the old value. */
export interface LeftWebhook extends SharingWebhook {
  /** Why, and with what it takes the new one. */
  reason: string;
}

/** What became of a secret's new value in the other factories that use it. */
export interface Retaken {
  taken: SharingWebhook[];
  left: LeftWebhook[];
}

/**
 * A secret was set or deleted. Factories whose last attempt failed, or goes on and may have missed it, try again; those
 * whose definition names it look again at what there is to warn of.
 */
export function reconcileSharedSecret(name: string, factories: Pick<Factories, "list">): void {
  for (const factory of factories.list()) {
    const { isSettled, active } = factory;
    if (!isSettled || (active && secretNamesOf(active.definition).includes(name))) factory.secretChanged();
  }
}

/**
 * A secret was rotated in one factory: the webhooks of all others that go by it and that millrace keeps take its new
 * value, each for itself. @returns those that have taken it, and those that have not, with the reasons
 */
export async function retakeSharedSecret(
  secret: SecretRotation,
  rotatedIn: string,
  factories: Pick<Factories, "list">,
): Promise<Retaken> {
  const retaken: Retaken = { taken: [], left: [] };
  for (const factory of factories.list().filter(({ record }) => record.uid !== rotatedIn)) {
    const sharing = webhooksWith(secret.name, factory);
    if (sharing.length === 0) continue;
    const reason = outOfReach(factory) ?? (await factory.retakeSecret(secret).then(() => "", errorMessage));
    if (reason === "") retaken.taken.push(...sharing);
    else retaken.left.push(...sharing.map((webhook) => ({ ...webhook, reason })));
  }
  return retaken;
}

/** The webhooks in force of a factory that go by a secret. */
function webhooksWith(secret: string, { record, active }: Pick<Factory, "record" | "active">) {
  const webhooks = active?.definition.webhooks.filter((webhook) => goesBy(webhook, secret)) ?? [];
  return webhooks.map(({ name }): SharingWebhook => ({ factory: record.name, webhook: name }));
}

/** Why a rotation does not reach a factory that millrace only reads; nothing for one that it keeps. */
function outOfReach({ record: { name, mode, source } }: Pick<Factory, "record">): string | undefined {
  if (mode === "managed") return undefined;
  return "url" in source
    ? `its definition is in ${source.url}: the new value takes effect with the next commit on the branch ${source.branch} (an empty commit is enough)`
    : `its definition is in a folder: the new value takes effect after \`millrace sync ${inShell(name)}\``;
}
