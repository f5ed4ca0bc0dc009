import { queryOptions } from "@tanstack/react-query";
import { AuthenticationError, type Models, millrace } from "./client.ts";
import type { AuditQuery, DeliveryQuery, RunQuery } from "./models.ts";
import { pagesOf } from "./paged-query.ts";
import { WHOAMI } from "./query-client.ts";
import { tagged } from "./tagged.ts";

/** The most that one request may list. */
export const MAX_ROWS = 500;

/** Who is signed in; null for no one. */
export const whoamiQuery = queryOptions({
  queryKey: WHOAMI,
  staleTime: Number.POSITIVE_INFINITY,
  queryFn: async (): Promise<Models["Whoami"] | null> => {
    try {
      return await millrace.whoami();
    } catch (error) {
      if (error instanceof AuthenticationError) return null;
      throw error;
    }
  },
});

export const factoriesQuery = queryOptions({
  queryKey: ["factories"],
  queryFn: async () => {
    const factories = await millrace.factories.list({ limit: MAX_ROWS }).toArray();
    return factories.sort((a, b) => a.name.localeCompare(b.name));
  },
});

/** Factories that no source serves. Below the key of all factories, so that it is brought up to date with them. */
export const restingFactoriesQuery = queryOptions({
  queryKey: ["factories", "resting"],
  queryFn: () => millrace.factories.resting(),
});

/** What goes with a factory, as it is when someone asks. */
export const factoryDeletionQuery = (uid: string) =>
  queryOptions({
    queryKey: ["factory-deletion", uid],
    queryFn: () => millrace.factories.deletion(uid),
    staleTime: 0,
    gcTime: 0,
  });

/** More is not shown at once: the oldest of so many wait until some are settled. */
const MAX_INBOX = 200;

/** What waits for a person, newest first. */
export const inboxQuery = queryOptions({
  queryKey: ["inbox"],
  queryFn: async () => (await millrace.inbox({ limit: MAX_INBOX })).items,
});

export const webhooksQuery = (factory: string) =>
  queryOptions({
    queryKey: ["webhooks", factory],
    queryFn: () => millrace.webhooks.list(factory, { limit: MAX_ROWS }).toArray(),
  });

export const webhookQuery = (factory: string, uid: string) =>
  queryOptions({
    queryKey: ["webhooks", factory, uid],
    queryFn: () => tagged(millrace.webhooks.get(factory, uid)),
  });

export const webhookTrafficQuery = (factory: string, uid: string) =>
  queryOptions({
    queryKey: ["deliveries", uid, "traffic"],
    queryFn: () => millrace.webhooks.traffic(factory, uid),
  });

/** How the last deliveries of the webhooks of one factory, or of all, ended. */
export const webhookActivityQuery = (factory: string | undefined) =>
  queryOptions({
    queryKey: ["webhook-activity", factory],
    queryFn: async () => (await millrace.webhookActivity(factory === undefined ? {} : { factory })).webhooks,
  });

export const suggestedSecretNameQuery = (factory: string, webhook: string) =>
  queryOptions({
    queryKey: ["suggested-secret-name", factory, webhook],
    staleTime: 0,
    queryFn: async () => (await millrace.webhooks.suggestSecretName(factory, webhook)).secret_name,
  });

export const automationsQuery = (factory: string) =>
  queryOptions({
    queryKey: ["automations", factory],
    queryFn: () => millrace.automations.list(factory, { limit: MAX_ROWS }).toArray(),
  });

export const automationQuery = (factory: string, name: string) =>
  queryOptions({
    queryKey: ["automations", factory, name],
    queryFn: () => millrace.automations.get(factory, name),
  });

/** @param text words that they have; empty for all */
export const deliveriesQuery = (factory: string, webhookUid: string, text = "") =>
  pagesOf(
    ["deliveries", webhookUid, ...(text === "" ? [] : ["search", text])],
    (page) => millrace.deliveries.list(factory, webhookUid, { ...page, ...(text === "" ? {} : { q: text }) }),
    ({ delivery_id }) => delivery_id,
  );

export const allDeliveriesQuery = (filters: DeliveryQuery) =>
  pagesOf(
    ["deliveries", "all", filters],
    (page) => millrace.deliveries.listAll({ ...filters, ...page }),
    ({ delivery_id }) => delivery_id,
  );

/** How far a search of deliveries is behind: by how many seconds, and from when on older ones can be found. */
export const searchLagQuery = (filters: DeliveryQuery) =>
  queryOptions({
    queryKey: ["deliveries", "lag", filters],
    queryFn: async () => {
      const { headers } = await millrace.deliveries.listAll({ ...filters, limit: 1 }).asResponse();
      const seconds = headers.get("Millrace-List-Lag");
      return { seconds: Number(seconds ?? 0), from: headers.get("Millrace-Searchable-From") };
    },
  });

/** The newest of a webhook, to see how it is doing. */
export const latestDeliveriesQuery = (factory: string, webhookUid: string) =>
  queryOptions({
    queryKey: ["deliveries", webhookUid, "latest"],
    queryFn: async () => (await millrace.deliveries.list(factory, webhookUid, { limit: 20 })).items,
  });

/** What has come in never changes. */
export const deliveryQuery = (factory: string, id: string) =>
  queryOptions({ queryKey: ["delivery", id], queryFn: () => millrace.deliveries.get(factory, id) });

export const payloadQuery = (factory: string, id: string) =>
  queryOptions({
    queryKey: ["payload", id],
    staleTime: Number.POSITIVE_INFINITY,
    queryFn: async () => new TextDecoder().decode(await millrace.deliveries.payload(factory, id)),
  });

export const explanationQuery = (factory: string, id: string) =>
  queryOptions({
    queryKey: ["explanation", id],
    // By the active definition, which may be another one by now.
    staleTime: 0,
    queryFn: () => millrace.deliveries.explain(factory, id),
  });

/** A delivery as a test of an automation, by the active definition. */
export const deliveryTestQuery = (factory: string, id: string, automation: string) =>
  queryOptions({
    queryKey: ["delivery-test", id, automation],
    staleTime: 0,
    queryFn: () => millrace.deliveries.makeTest(factory, id, { automation }),
  });

export const runsQuery = (filters: RunQuery) =>
  pagesOf(
    ["runs", filters],
    (page) => millrace.runs.list({ ...filters, ...page }),
    ({ run_id }) => run_id,
  );

export const latestRunsQuery = (filters: RunQuery) =>
  queryOptions({
    queryKey: ["latest-runs", filters],
    queryFn: async () => (await millrace.runs.list(filters)).items,
  });

export const revisionsQuery = (factory: string) =>
  pagesOf(
    ["revisions", factory],
    (page) => millrace.factories.revisions(factory, page),
    ({ id }) => id,
  );

/** The files of a revision that was tried, by their paths; those that are no text are left out. They never change. */
export const definitionQuery = (factory: string, revision: string) =>
  queryOptions({
    queryKey: ["definition", factory, revision],
    staleTime: Number.POSITIVE_INFINITY,
    queryFn: async (): Promise<Readonly<Record<string, string>>> => {
      const { files } = await millrace.factories.export(factory, { revision });
      const texts = files.filter(({ encoding }) => encoding === "utf-8");
      return Object.fromEntries(texts.map(({ path, content }) => [path, content]));
    },
  });

export const runnersQuery = (factory: string) =>
  queryOptions({
    queryKey: ["runners", factory],
    queryFn: () => millrace.factories.runners(factory, { limit: MAX_ROWS }).toArray(),
  });

export const agentsQuery = queryOptions({
  queryKey: ["agents"],
  queryFn: () => millrace.identities.list({ limit: MAX_ROWS }).toArray(),
});

export const environmentsQuery = queryOptions({
  queryKey: ["environments"],
  queryFn: () => millrace.environments.list({ limit: MAX_ROWS }).toArray(),
});

export const schedulesQuery = queryOptions({
  queryKey: ["schedules"],
  queryFn: () => millrace.schedules.list({ limit: MAX_ROWS }).toArray(),
});

export const secretsQuery = queryOptions({
  queryKey: ["secrets"],
  queryFn: () => millrace.secrets.list({ limit: MAX_ROWS }).toArray(),
});

export const pausesQuery = queryOptions({
  queryKey: ["pauses"],
  queryFn: () => millrace.pauses.list({ limit: MAX_ROWS }).toArray(),
});

export const holdsQuery = queryOptions({
  queryKey: ["holds"],
  queryFn: async () => (await millrace.holds.list()).holds,
});

export const keysQuery = queryOptions({
  queryKey: ["keys"],
  queryFn: () => millrace.apiKeys.list({ limit: MAX_ROWS }).toArray(),
});

export const settingsQuery = queryOptions({
  queryKey: ["settings"],
  queryFn: async () => (await millrace.settings()).settings,
});

export const auditLogQuery = (filters: AuditQuery) =>
  pagesOf(
    ["audit-log", filters],
    (page) => millrace.auditLog({ ...filters, ...page }),
    ({ id }) => id,
  );
