import type { Definition } from "../definitions/definition.ts";
import type { Loaded } from "../definitions/load.ts";
import type { DataPath } from "../definitions/parse.ts";
import type { WarningCode } from "../definitions/plan-warning.ts";
import type { Problem, ProblemCode, Severity } from "../definitions/problem.ts";
import { type HasForge, repositoriesWithoutForge } from "../definitions/rules/forge-rules.ts";
import {
  grantedSecretsExist,
  harnessesAreKnown,
  runnersAreThere,
} from "../definitions/rules/reference-rules.ts";
import { chooseMethod } from "../definitions/scheme-key.ts";
import { schemeOf } from "../definitions/schemes.ts";
import { webhookSecret } from "../secrets/webhook-secret.ts";
import { urlTokensAreHardToGuess, webhookSecretsHaveNoOuterWhiteSpace } from "./webhook-secret-rules.ts";

/** What only the server knows, and a definition has to agree with when it is applied. */
export interface ServerState {
  /** The values of those secrets of the definition that exist. */
  secrets: ReadonlyMap<string, string>;
  /** Where the settings keep a secret, in words; nothing for one that is set by a command. */
  placeOfSecret(name: string): string | undefined;
  /** The uids of the factory's webhooks, those of deleted ones that return with this definition included. */
  webhookUids: ReadonlySet<string>;
  /** The schedules of the API that automations of the factory can follow. */
  scheduleIds: ReadonlySet<string>;
  /** Whether signatures may wait for their secret: millrace keeps the definition, and takes the secret in a second step. */
  mayAwaitSecrets: boolean;
  /** Whether there is a harness of this name. */
  hasHarness(type: string): boolean;
  hasForge: HasForge;
}

interface Subject {
  definition: Definition;
  state: ServerState;
  problem(path: string, at: DataPath, code: ProblemCode, message: string, severity?: Severity): Problem;
}

/** One thing in which a definition has to agree with the server. */
export type ServerRule = (subject: Subject) => Problem[];

/** A problem between a tree and this server, and what a plan warns of with it. */
export interface Finding {
  problem: Problem;
  warning: WarningCode | undefined;
}

/** Every problem between a valid tree and this server. */
export function checkAgainstServer(definition: Definition, loaded: Loaded, state: ServerState): Finding[] {
  const subject: Subject = {
    definition,
    state,
    problem: (path, at, code, message, severity = "error") => {
      return { code, message, path, ...loaded.locate(path, at), severity };
    },
  };
  const ofServer = SERVER_RULES.flatMap(({ rule, warning }) =>
    rule(subject).map((problem) => ({ problem, warning })),
  );
  const named: [WarningCode, Problem[]][] = [
    ["secret_missing", grantedSecretsExist(loaded, (name) => state.secrets.has(name))],
    ["harness_unknown", harnessesAreKnown(loaded, state.hasHarness)],
    ["runner_unknown", runnersAreThere(loaded)],
    ["repository_without_forge", repositoriesWithoutForge(loaded, state.hasForge)],
  ];
  return [
    ...ofServer,
    ...named.flatMap(([warning, problems]) => problems.map((problem) => ({ problem, warning }))),
  ];
}

/** The names of all secrets that a definition mentions. */
export function secretNamesOf(definition: Definition): string[] {
  const executions = [...definition.agents, ...definition.automations].flatMap(({ execution }) => {
    const { auth } = execution.harness;
    return auth?.source === "managedSecret" ? [...execution.secrets, auth.secretName] : execution.secrets;
  });
  const webhooks = definition.webhooks.map((webhook) => webhook.secretName);
  return [...new Set([...webhooks, ...definition.factory.secrets, ...executions])];
}

const webhookSecretsExist: ServerRule = ({ definition, state, problem }) =>
  definition.webhooks
    .filter((webhook) => !state.secrets.has(webhook.secretName))
    .map((webhook) => {
      const awaits = state.mayAwaitSecrets && webhook.authMode === "signature";
      const message = awaits
        ? `"${webhook.name}" awaits its provider's secret, and lets nobody in until it has it: ` +
          `\`millrace webhooks rotate-secret ${webhook.name}\` takes it`
        : `there is no team secret "${webhook.secretName}": ${whereToPut(webhook.secretName, state)}`;
      const severity = awaits ? "warning" : "error";
      return problem(webhook.path, ["secretName"], "FF_INVALID_REFERENCE", message, severity);
    });

function whereToPut(secret: string, state: ServerState): string {
  const place = state.placeOfSecret(secret);
  return place
    ? `it is kept in ${place}, which is not there or empty: put the value there`
    : `set it with \`millrace secrets set ${secret}\``;
}

/** The secret of a `url_token` webhook is a segment of a URL, so it may hold unreserved characters only (RFC 3986). */
const urlTokensAreUrlSafe: ServerRule = ({ definition, state, problem }) =>
  definition.webhooks
    .filter((webhook) => webhook.authMode === "url_token")
    .filter(
      (webhook) =>
        !/^(?!\.\.?$)[A-Za-z0-9._~-]*$/.test(webhookSecret(state.secrets.get(webhook.secretName) ?? "")),
    )
    .map((webhook) => {
      const message =
        `the value of "${webhook.secretName}" cannot stand in a URL: ` +
        "a url_token secret holds letters, digits and - . _ ~ only, and is neither . nor ..";
      return problem(webhook.path, ["secretName"], "FF_INVALID_VALUE", message);
    });

/** A webhook whose secret cannot be used lets nobody in; the rest of the definition is none the worse for it. */
const signingSecretsFitTheirScheme: ServerRule = ({ definition, state, problem }) =>
  definition.webhooks.flatMap((webhook) => {
    const secret = state.secrets.get(webhook.secretName);
    const scheme = webhook.authMode === "signature" ? schemeOf(webhook) : undefined;
    const chosen = scheme && secret !== undefined ? chooseMethod(scheme, webhookSecret(secret)) : undefined;
    if (!chosen || !("unusable" in chosen)) return [];
    const message = `${chosen.unusable}: every delivery is refused until "${webhook.secretName}" has another value`;
    return [problem(webhook.path, ["secretName"], "FF_INVALID_VALUE", message, "warning")];
  });

/** A uid that names nothing leaves the automation visible and silent. */
const webhookIdsNameWebhooks: ServerRule = ({ definition, state, problem }) =>
  definition.automations.flatMap((automation) =>
    automation.triggers.flatMap((trigger, index) => {
      if (trigger.provider !== "webhook") return [];
      return trigger.webhookIds
        .filter((uid) => !state.webhookUids.has(uid))
        .map((uid) => {
          const message = `no webhook of this factory has the uid "${uid}": this trigger does not fire for it`;
          const at = ["triggers", index, "filter", "webhook_ids"];
          return problem(automation.path, at, "FF_INVALID_REFERENCE", message, "warning");
        });
    }),
  );

/** As with webhooks: one that names nothing does not fire. */
const scheduleIdsNameSchedules: ServerRule = ({ definition, state, problem }) =>
  definition.automations.flatMap((automation) =>
    automation.triggers.flatMap((trigger, index) => {
      if (trigger.provider !== "schedule") return [];
      return trigger.scheduleIds
        .filter((id) => !state.scheduleIds.has(id))
        .map((id) => {
          const message = `no schedule that this factory can follow has the id "${id}": this trigger does not fire for it`;
          const at = ["triggers", index, "filter", "schedule_ids"];
          return problem(automation.path, at, "FF_INVALID_REFERENCE", message, "warning");
        });
    }),
  );

const linearAndJiraAreNotTogether: ServerRule = ({ definition, problem }) => {
  const { integrations, path } = definition.factory;
  if (!integrations.includes("linear") || !integrations.includes("jira")) return [];
  return [
    problem(path, ["integrations"], "FF_INVALID_VALUE", "linear and jira cannot be integrated together"),
  ];
};

const SERVER_RULES: readonly { rule: ServerRule; warning: WarningCode | undefined }[] = [
  { rule: webhookSecretsExist, warning: "secret_missing" },
  { rule: webhookSecretsHaveNoOuterWhiteSpace, warning: "secret_unusable" },
  { rule: urlTokensAreUrlSafe, warning: "secret_unusable" },
  { rule: urlTokensAreHardToGuess, warning: "secret_weak" },
  { rule: signingSecretsFitTheirScheme, warning: "secret_unusable" },
  { rule: webhookIdsNameWebhooks, warning: "webhook_unknown" },
  { rule: scheduleIdsNameSchedules, warning: "schedule_unknown" },
  { rule: linearAndJiraAreNotTogether, warning: undefined },
];
