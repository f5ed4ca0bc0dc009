import type { Definition } from "../definitions/definition.ts";
import type { Loaded } from "../definitions/load.ts";
import type { DataPath } from "../definitions/parse.ts";
import type { WarningCode } from "../definitions/plan-warning.ts";
import type { Problem, ProblemCode, Severity } from "../definitions/problem.ts";
import { type HasForge, repositoriesWithoutForge } from "../definitions/rules/forge-rules.ts";
import { harnessesAreKnown, runnersAreThere } from "../definitions/rules/reference-rules.ts";
import { agentSecretsExist } from "../definitions/rules/secret-rules.ts";
import { type RunnerHost, runnersFitTheHost } from "../definitions/runner-host.ts";
import { chooseMethod } from "../definitions/scheme-key.ts";
import { schemeOf } from "../definitions/schemes.ts";
import { inShell } from "../in-shell.ts";
import { isUrlSafe, webhookSecret } from "../secrets/webhook-secret.ts";
import { urlTokensAreHardToGuess, webhookSecretsHaveNoOuterWhiteSpace } from "./webhook-secret-rules.ts";

/** What only the server knows, and a definition has to agree with when it is applied. */
export interface ServerState {
  /** The values of those secrets of its webhooks that exist and that the factory may use. */
  secrets: ReadonlyMap<string, string>;
  /** Names of the secrets that exist and that agents of the factory may have. */
  agentSecrets: ReadonlySet<string>;
  /** Where the settings keep a secret that the factory may use, in words; nothing for any other. */
  placeOfSecret(name: string): string | undefined;
  /** Whether it is a credential that the settings use, which no agent gets. */
  isSecretOfServer(name: string): boolean;
  /** Whether the definition is in force already, and is only looked at once more. */
  isInForce: boolean;
  /** The uids of the factory's webhooks, those of deleted ones that return with this definition included. */
  webhookUids: ReadonlySet<string>;
  /** The schedules of the API that automations of the factory can follow. */
  scheduleIds: ReadonlySet<string>;
  /** Whether signatures may wait for their secret: millrace keeps the definition, and takes the secret in a second step. */
  mayAwaitSecrets: boolean;
  /** Whether there is a harness of this name. */
  hasHarness(type: string): boolean;
  hasForge: HasForge;
  /** What the factory is called now, whatever the definition will have it called. */
  factoryName: string;
  /** Where runs execute. */
  host: RunnerHost;
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
    ["secret_missing", missingSecretsOfAgents(loaded, state)],
    ["harness_unknown", harnessesAreKnown(loaded, state.hasHarness)],
    ["runner_unknown", runnersAreThere(loaded)],
    ["runner_ignored", runnersFitTheHost(loaded, state.host)],
    ["repository_without_forge", repositoriesWithoutForge(loaded, state.hasForge)],
  ];
  return [
    ...ofServer,
    ...named.flatMap(([warning, problems]) => problems.map((problem) => ({ problem, warning }))),
  ];
}

/** The names of all secrets that a definition mentions. */
export function secretNamesOf(definition: Definition): string[] {
  return [...new Set([...webhookSecretNamesOf(definition), ...agentSecretNamesOf(definition)])];
}

export function webhookSecretNamesOf({ webhooks }: Pick<Definition, "webhooks">): string[] {
  return webhooks.map(({ secretName }) => secretName);
}

/** The names of the secrets that runs need: as variables, as the key of their harness, or to pull their image. */
export function agentSecretNamesOf({ factory, agents, automations, runners }: Definition): string[] {
  const executions = [...agents, ...automations].flatMap(({ execution }) => {
    const { auth } = execution.harness;
    return auth?.source === "managedSecret" ? [...execution.secrets, auth.secretName] : execution.secrets;
  });
  const ofRunners = runners.flatMap(({ registryCredentialSecretName: name }) =>
    name === undefined ? [] : [name],
  );
  return [...factory.secrets, ...executions, ...ofRunners];
}

/** What is in force goes on without them, as it has until now; nothing new comes into force without them. */
function missingSecretsOfAgents(loaded: Loaded, state: ServerState): Problem[] {
  const severity = state.isInForce ? "warning" : "error";
  return agentSecretsExist(loaded, (name) => state.agentSecrets.has(name), { says, severity });

  function says(name: string): string {
    if (state.isSecretOfServer(name))
      return `"${name}" is a credential of the server itself, which no agent gets: grant another secret`;
    return noSecretFor(name, state);
  }
}

const webhookSecretsExist: ServerRule = ({ definition, state, problem }) =>
  definition.webhooks
    .filter((webhook) => !state.secrets.has(webhook.secretName))
    .map((webhook) => {
      const awaits = state.mayAwaitSecrets && webhook.authMode === "signature";
      const message = awaits
        ? `"${webhook.name}" awaits its provider's secret, and lets nobody in until it has it: ` +
          `\`millrace webhooks rotate-secret ${webhook.name}\` takes it`
        : noSecretFor(webhook.secretName, state);
      const severity = awaits ? "warning" : "error";
      return problem(webhook.path, ["secretName"], "FF_INVALID_REFERENCE", message, severity);
    });

/** The same words for one that is not there and for one of others: whoever reads them may not know of those. */
function noSecretFor(secret: string, state: ServerState): string {
  const place = state.placeOfSecret(secret);
  const missing = `there is no team secret "${secret}" that this factory may use`;
  return place
    ? `${missing}: it is kept in ${place}, which is not there or empty: put the value there`
    : `${missing}: set it with \`millrace secrets set ${secret} --factory ${inShell(state.factoryName)}\`; name other factories that use it too, or say --shared`;
}

/** The secret of a `url_token` webhook is a segment of a URL, so it may hold unreserved characters only (RFC 3986). */
const urlTokensAreUrlSafe: ServerRule = ({ definition, state, problem }) =>
  definition.webhooks
    .filter((webhook) => webhook.authMode === "url_token")
    .filter(({ secretName }) => !isUrlSafe(webhookSecret(state.secrets.get(secretName) ?? "")))
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
    return [problem(webhook.path, ["secretName"], "FF_SECRET_UNUSABLE", message, "warning")];
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
