import type { StoredResource } from "../../definitions/changes/plan.ts";
import type { Webhook } from "../../definitions/definition.ts";
import type { MillraceError } from "../../errors/error.ts";
import { INGRESS_PREFIX } from "../../ingress/arrival.ts";
import type { FactoryContents, FactoryRecord } from "../../reconcile/factory.ts";
import { reachesFactory } from "../http/authorize.ts";
import { type Called, type Endpoints, keyOf } from "../http/endpoint.ts";
import { noSuchFactory } from "./factories.ts";

export interface FactoryDeletionDeps {
  making: {
    /** A factory by its name or uid, also one that no source of this start serves. */
    findRecord(nameOrUid: string): Promise<FactoryRecord | undefined>;
    findContents(factoryUid: string): Promise<FactoryContents>;
    /** Why it cannot be deleted now; nothing when it can. */
    refusalOf(record: FactoryRecord): MillraceError | undefined;
    /** @throws MillraceError `conflict` */
    deleteFactory(record: FactoryRecord): Promise<void>;
  };
  /** The URL under which senders reach the ingress. */
  webhookUrl: () => string;
}

/** Factories go with all that is in force of them; before that, whoever asks is told what it is. */
export function factoryDeletionEndpoints({ making, webhookUrl }: FactoryDeletionDeps) {
  async function find(request: Called & { path: { factory: string } }): Promise<FactoryRecord> {
    const { factory: name } = request.path;
    const found = await making.findRecord(name);
    if (found && reachesFactory(keyOf(request), found.uid)) return found;
    throw noSuchFactory(name);
  }

  function webhookIn({ uid, name, body }: StoredResource) {
    const { authMode } = JSON.parse(body) as Webhook;
    const url = `${webhookUrl()}${INGRESS_PREFIX}${uid}`;
    return { uid, name, url: authMode === "url_token" ? `${url}/{token}` : url };
  }

  return {
    planFactoryDeletion: {
      async handle(request) {
        const record = await find(request);
        const { webhooks, automations, waitingRuns, workingRuns, schedules } = await making.findContents(
          record.uid,
        );
        const refusal = making.refusalOf(record);
        return {
          json: {
            factory: { uid: record.uid, name: record.name, mode: record.mode, source: record.source },
            refusal: refusal ? [refusal.message, refusal.remedy].join(" ") : null,
            webhooks: webhooks.map(webhookIn),
            automations: automations.map(({ uid, name }) => ({ uid, name })),
            waiting_runs: waitingRuns,
            working_runs: workingRuns,
            schedules,
          },
        };
      },
    },
    deleteFactory: {
      async handle(request) {
        await making.deleteFactory(await find(request));
        return { status: 204 };
      },
    },
  } satisfies Endpoints;
}
