import { SYNC_STATUSES } from "../../reconcile/factory.ts";
import { ref } from "../http/operation.ts";
import { automationModels } from "./automations.ts";
import {
  boundedText,
  described,
  instant,
  listOf,
  modeAndSource,
  optionalInstant,
  optionalText,
  problemOf,
  record,
  text,
} from "./shapes.ts";

const usd = { type: "number", description: "In US dollars." };

/** A budget of a definition, under the names that it has there. */
const budgetModel = {
  type: "object",
  additionalProperties: false,
  description: "What its runs may use, and what they have used in the last 24 hours.",
  required: ["onExhausted", "used", "opens_at"],
  properties: {
    usdPerRun: usd,
    usdPerDay: usd,
    tokensPerRun: { type: "integer" },
    runsPerDay: { type: "integer" },
    onExhausted: { type: "string", enum: ["wait", "skip"] },
    used: record({
      usdPerDay: { type: "number", description: "In US dollars, as far as the costs are known." },
      runsPerDay: { type: "integer", minimum: 0, description: "The runs that have started." },
    }),
    opens_at: {
      ...optionalInstant,
      description:
        "While a limit for a day is used up: when runs can start again, if none uses more until then.",
    },
  },
} as const;

export const webhookModel = record({
  uid: text,
  name: text,
  factory: text,
  auth_mode: { type: "string", enum: ["token", "url_token", "signature"] },
  signature_scheme: optionalText,
  secret_name: text,
  has_newer_secret: {
    type: "boolean",
    description:
      "Whether the secret has changed since the webhook was applied. If true, the webhook still uses the previous value.",
  },
  previous_secret: {
    anyOf: [ref("PreviousSecret"), { type: "null" }],
    description: "The previous secret, while a rotation with an overlap still accepts it.",
  },
  delivery_id_header: optionalText,
  enabled: { type: "boolean" },
  status: { type: "string", enum: ["active", "disabled", "awaiting_secret", "deleted"] },
  url: { type: "string", description: "The ingress URL; for a url_token webhook it ends in {token}." },
  defined_in: ref("DefinedIn"),
  dropped: {
    type: "array",
    description:
      "The deliveries of the last 24 hours that were refused with 429 and without a record: one entry for each hour with such deliveries, oldest first.",
    items: ref("DroppedDeliveries"),
  },
  created_at: instant,
  updated_at: instant,
});

/** The models of factories and of what belongs to them. */
export const factoryModels = {
  Problem: problemOf(["error", "warning", "notice"]),
  Factory: {
    type: "object",
    additionalProperties: false,
    required: ["uid", "name", "mode", "source", "sync"],
    properties: {
      uid: text,
      name: text,
      warning: {
        ...text,
        description:
          "The effects of creating the factory on the rest of the server, as sentences. Only in the response to its creation.",
      },
      ...modeAndSource,
      sync: record({
        status: { type: "string", enum: [...SYNC_STATUSES] },
        attempted_revision: optionalText,
        attempted_at: optionalInstant,
        applied_revision: optionalText,
        applied_at: optionalInstant,
        problems: { type: "array", items: ref("Problem") },
      }),
      budget: { ...ref("Budget"), description: "Only if the factory has one." },
    },
  },
  Budget: budgetModel,
  RestingFactory: {
    type: "object",
    additionalProperties: false,
    required: ["uid", "name", "mode", "source", "webhooks", "waiting_runs"],
    properties: {
      uid: text,
      name: text,
      ...modeAndSource,
      webhooks: {
        type: "integer",
        minimum: 0,
        description: "The number of its webhooks; their URLs return 404.",
      },
      waiting_runs: { type: "integer", minimum: 0, description: "The number of its queued runs." },
    },
  },
  FactoryList: {
    ...listOf("factories", "Factory"),
    properties: {
      ...listOf("factories", "Factory").properties,
      resting: {
        type: "array",
        items: ref("RestingFactory"),
        description:
          "Recorded factories without a configured source; included on every page, omitted if there are none.",
      },
    },
  },
  DroppedDeliveries: {
    type: "object",
    description: "The deliveries of one hour that a webhook refused without a record.",
    additionalProperties: false,
    required: ["hour", "over_budget", "blocked"],
    properties: {
      hour: { ...instant, description: "The start of the hour." },
      over_budget: { type: "integer", description: "The deliveries beyond a budget of the webhook." },
      blocked: {
        type: "integer",
        description: "The deliveries from addresses that had failed to authenticate too often.",
      },
    },
  },
  DefinedIn: record({ path: text, url: optionalText }),
  Webhook: webhookModel,
  WebhookList: listOf("webhooks", "Webhook"),
  ...automationModels,
} as const;

const object = { type: "object" };
const secretList = {
  type: "array",
  items: record({ name: text }),
};
const forge = { type: "string", enum: ["GITHUB", "GITLAB", "AZURE_DEVOPS", "NONE"] };

/** Factories as the clients of the public API know them, and runs that are handed to one. */
export const dispatchModels = {
  FactoryDetails: record({
    uid: text,
    name: text,
    alias: optionalText,
    description: optionalText,
    avatar_url: { type: "null" },
    code_forge: forge,
    code_forges: { type: "array", items: forge },
    created_at: instant,
    updated_at: instant,
    credential_strategy: { type: "string", enum: ["EXECUTOR"] },
    default_environment: optionalText,
    default_model: optionalText,
    integrations: {
      type: ["array", "null"],
      items: record({ type: text }),
    },
    repositories: {
      type: "array",
      items: record({ owner: text, repo: text }),
    },
    agent_defaults: record({
      default_runner_uid: text,
      mcp_servers: object,
      secrets: secretList,
      worker_host: text,
    }),
    scorer_defaults: { type: "object", additionalProperties: false },
    scoring: record({ default_model: { type: "null" } }),
    team_uid: text,
  }),
  FactoryDetailsList: listOf("factories", "FactoryDetails"),
  FactoryRunResponse: record({
    run_id: { type: "string", format: "uuid" },
    factory_uid: text,
    foreman_agent: text,
    state: ref("RunState"),
    ticket_ref: text,
    run_url: { type: "string", format: "uri" },
    task_uid: { type: "string", description: "The task that was created with the run." },
  }),
} as const;

export const definitionStateModels = {
  Drift: record({
    revision: text,
    in_sync: { type: "boolean" },
    changes: {
      type: "array",
      description: "The changes that would make the stored state match the revision.",
      items: ref("RevisionChange"),
    },
    without_credential: {
      type: "array",
      description: "Names of webhooks whose credential is missing from the store.",
      items: text,
    },
  }),
  FactoryExport: record({ revision: text, files: { type: "array", items: ref("ExportedFile") } }),
  ExportedFile: record({
    path: text,
    encoding: { type: "string", enum: ["utf-8", "base64"] },
    content: text,
  }),
  WebhookAdoption: record({
    uid: {
      type: "string",
      pattern: "^[A-Za-z0-9]{22}$",
      description: "The previous UID: the 22 letters and digits at the end of the URL that its senders use.",
    },
  }),
} as const;

export const pauseModels = {
  NewPause: described(
    "The scope of the pause. If factory, webhook and automation are omitted, the whole server is paused.",
    {
      "factory?": { type: "string", description: "The name or UID of a factory." },
      "webhook?": {
        type: "string",
        description: "The name or UID of a webhook: pauses the runs that its deliveries start.",
      },
      "automation?": {
        type: "string",
        description: "The name or the id of an automation: pauses the runs that it starts.",
      },
      "reason?": { ...boundedText(500), description: "The reason, shown wherever the pause is shown." },
    },
  ),
  Pause: record({
    id: text,
    scope: { type: "string", enum: ["server", "factory", "webhook", "automation"] },
    factory: { ...optionalText, description: "The name of the factory; null for the server." },
    factory_uid: optionalText,
    webhook: optionalText,
    webhook_uid: optionalText,
    automation: optionalText,
    automation_id: optionalText,
    reason: optionalText,
    created_by: ref("RunCreatorInfo"),
    created_at: instant,
  }),
  PauseList: listOf("pauses", "Pause"),
  Hold: record({
    id: text,
    credential: {
      ...text,
      description:
        "What the runs ask the model with: secret:NAME of harness.auth, environment:HARNESS for the key of the server or worker, or harness:HARNESS for the login of the program or a key among the run's secrets.",
    },
    model: { ...text, description: "The model; default for the one that the program chooses." },
    until: {
      ...instant,
      description: "When one run asks the provider again. The others follow when it answers.",
    },
    reason: { ...text, description: "What the provider answered, or the message of the program about it." },
    kind: {
      type: "string",
      enum: ["limit", "unavailable"],
      description: "limit: the provider refuses more for now; unavailable: it did not answer as it should.",
    },
    factory: {
      ...optionalText,
      description:
        "The factory whose runs wait; null for those of every factory with the credential, and of no factory.",
    },
    factory_uid: optionalText,
    is_shared: {
      type: "boolean",
      description: "Whether the runs of every factory with the credential wait.",
    },
    since: instant,
  }),
  HoldList: described("All holds.", { holds: { type: "array", items: ref("Hold") } }),
} as const;

const named = { uid: text, name: text };

/** The models of what goes with a factory. */
export const factoryDeletionModels = {
  FactoryDeletion: record({
    factory: {
      type: "object",
      additionalProperties: false,
      required: ["uid", "name", "mode", "source"],
      properties: {
        ...named,
        ...modeAndSource,
      },
    },
    refusal: {
      type: ["string", "null"],
      description: "Why the factory cannot be deleted now, and what to do; null if it can.",
    },
    webhooks: {
      type: "array",
      description: "The webhooks that would be deleted; their URLs would return 404.",
      items: {
        type: "object",
        additionalProperties: false,
        required: ["uid", "name", "url"],
        properties: { ...named, url: text },
      },
    },
    automations: {
      type: "array",
      items: {
        type: "object",
        additionalProperties: false,
        required: ["uid", "name"],
        properties: named,
      },
    },
    waiting_runs: { type: "integer", description: "Queued runs that would be cancelled." },
    working_runs: { type: "integer", description: "Runs claimed by a worker that would be cancelled." },
    schedules: { type: "integer", description: "Schedules created through the API that would be deleted." },
  }),
} as const;
