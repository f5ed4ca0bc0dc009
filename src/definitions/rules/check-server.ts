import { setSecret } from "../../errors/error.ts";
import { pluralize } from "../../pluralize.ts";
import { isUrlSafe, webhookSecret } from "../../secrets/webhook-secret.ts";
import type { WarningCode } from "../changes/plan-warning.ts";
import { TRAFFIC_DAYS } from "../changes/prune-guard.ts";
import type { Definition } from "../definition.ts";
import type { Loaded } from "../loading/loaded.ts";
import type { Problem } from "../problem.ts";
import { runnersFitTheHost } from "../runner-host.ts";
import { chooseMethod } from "../schemes/scheme.ts";
import { schemeOf } from "../schemes/schemes.ts";
import { fileName } from "./automation-rules.ts";
import { pricesAreKnown } from "./budget-rules.ts";
import { pushesHaveAnApp, repositoriesWithoutForge } from "./forge-rules.ts";
import { networksStayWithinServer } from "./network-rules.ts";
import { notifySecretsExist, outboundSecretsExist } from "./outbound-rules.ts";
import { harnessesAreKnown, runnersAreThere } from "./reference-rules.ts";
import { workerHostsAreKnown } from "./runner-rules.ts";
import {
  agentSecretsExist,
  serverKeyGoesWhereTheServerSays,
  serverKeyIsForTheFactory,
} from "./secret-rules.ts";
import type { ServerFinding, ServerRule, ServerState, SettingsRule, SettingsState } from "./server-rule.ts";
import {
  previousSecretsExist,
  previousSecretsHaveNoOuterWhiteSpace,
  urlTokensAreHardToGuess,
  webhookSecretsHaveNoOuterWhiteSpace,
} from "./webhook-rules.ts";

/** Every problem between a valid tree and this server. */
export function checkAgainstServer(
  definition: Definition,
  loaded: Loaded,
  state: ServerState,
): ServerFinding[] {
  return [...SERVER_RULES, ...SETTINGS_RULES].flatMap(({ rule, warning }) =>
    rule({ definition, loaded, state, problem: problemIn(loaded) }).map((found) => {
      return { problem: found, warning };
    }),
  );
}

/** Every problem between a valid tree and the settings file of a server. */
export function checkAgainstSettings(
  definition: Definition,
  loaded: Loaded,
  state: SettingsState,
): Problem[] {
  return SETTINGS_RULES.flatMap(({ rule }) =>
    rule({ definition, loaded, state, problem: problemIn(loaded) }),
  );
}

function problemIn(loaded: Loaded): Parameters<ServerRule>[0]["problem"] {
  return (path, at, code, message, severity = "error") => {
    return { code, message, path, ...loaded.locate(path, at), severity };
  };
}

/** The names of all secrets that a definition mentions. */
export function secretNamesOf(definition: Definition): string[] {
  return [...new Set([...webhookSecretNamesOf(definition), ...agentSecretNamesOf(definition)])];
}

/**
 * The names of the secrets that webhooks go by, also until the end of an overlap, and that outbound webhooks sign with: they are
 * never an agent's business.
 */
export function webhookSecretNamesOf(definition: Pick<Definition, "webhooks" | "outbound">): string[] {
  const named = [...definition.webhooks, ...definition.outbound].map(({ secretName }) => secretName);
  return [...named, ...previousSecretNamesOf(definition)];
}

/** Without those that its outbound webhooks sign with. */
export function ingressSecretNamesOf(definition: Pick<Definition, "webhooks">): string[] {
  return webhookSecretNamesOf({ ...definition, outbound: [] });
}

export function previousSecretNamesOf({ webhooks }: Pick<Definition, "webhooks">): string[] {
  return webhooks.flatMap(({ previous }) => previous?.secretName ?? []);
}

/** The names of the secrets that runs need: as variables, as the key of their harness, or to pull their image; and of what is sent. */
export function agentSecretNamesOf({
  factory,
  agents,
  automations,
  runners,
  outbound,
}: Definition): string[] {
  const executions = [...agents, ...automations].flatMap(({ execution }) => {
    const { auth } = execution.harness;
    return auth?.source === "managedSecret" ? [...execution.secrets, auth.secretName] : execution.secrets;
  });
  const ofRunners = runners.flatMap(({ registryCredentialSecretName: name }) =>
    name === undefined ? [] : [name],
  );
  const ofTargets = (factory.notify ?? []).flatMap(({ secretName }) => secretName ?? []);
  const ofOutbound = outbound.map(({ secretName }) => secretName);
  return [...factory.secrets, ...executions, ...ofRunners, ...ofTargets, ...ofOutbound];
}

/** What is in force goes on without them, as it has until now; nothing new comes into force without them. */
const secretsOfAgentsExist: ServerRule = ({ loaded, state }) => {
  const severity = state.isActive ? "warning" : "error";
  return agentSecretsExist(loaded, (name) => state.agentSecrets.has(name), { says, severity });

  function says(name: string): string {
    if (state.isSecretOfServer(name))
      return `"${name}" is a credential of the server itself, which agents never receive: grant another secret`;
    return noSecretFor(name, state);
  }
};

const webhookSecretsExist: ServerRule = ({ definition, state, problem }) =>
  definition.webhooks
    .filter((webhook) => !state.secrets.has(webhook.secretName))
    .map((webhook) => {
      const awaits = state.mayAwaitSecrets && webhook.authMode === "signature";
      const message = awaits
        ? `webhook "${webhook.name}" has no signing secret yet, so every delivery is rejected: ` +
          `set it with \`millrace webhooks rotate-secret ${webhook.name}\``
        : noSecretFor(webhook.secretName, state);
      const severity = awaits ? "warning" : "error";
      return problem(webhook.path, ["secretName"], "FF_INVALID_REFERENCE", message, severity);
    });

/** The same words for one that is not there and for one of others: whoever reads them may not know of those. */
function noSecretFor(secret: string, state: ServerState): string {
  const place = state.placeOfSecret(secret);
  const missing = `there is no secret "${secret}" that this factory may use`;
  return place
    ? `${missing}: its value comes from ${place}, which is missing or empty; set the value there`
    : `${missing}: set it with \`${setSecret(secret, state.factoryName)}\`. If other factories use it too, name them as well, or use \`--shared\`.`;
}

/** The secret of a `url_token` webhook is a segment of a URL, so it may hold unreserved characters only (RFC 3986). */
const urlTokensAreUrlSafe: ServerRule = ({ definition, state, problem }) =>
  definition.webhooks
    .filter((webhook) => webhook.authMode === "url_token")
    .filter(({ secretName }) => !isUrlSafe(webhookSecret(state.secrets.get(secretName) ?? "")))
    .map((webhook) => {
      const message =
        `the value of "${webhook.secretName}" cannot be used in a URL: ` +
        "a url_token secret may contain only letters, digits and - . _ ~, and must not be . or ..";
      return problem(webhook.path, ["secretName"], "FF_INVALID_VALUE", message);
    });

/** A webhook whose secret cannot be used lets nobody in; the rest of the definition is none the worse for it. */
const signingSecretsFitTheirScheme: ServerRule = ({ definition, state, problem }) =>
  definition.webhooks.flatMap((webhook) => {
    const secret = state.secrets.get(webhook.secretName);
    const scheme = webhook.authMode === "signature" ? schemeOf(webhook) : undefined;
    const chosen = scheme && secret !== undefined ? chooseMethod(scheme, webhookSecret(secret)) : undefined;
    if (!chosen || !("unusable" in chosen)) return [];
    const message = `${chosen.unusable}: every delivery is refused until "${webhook.secretName}" has a valid value`;
    return [problem(webhook.path, ["secretName"], "FF_SECRET_UNUSABLE", message, "warning")];
  });

/** A uid that names nothing leaves the automation visible and silent. */
const webhookIdsNameWebhooks: ServerRule = ({ definition, state, problem }) =>
  definition.automations.flatMap((automation) =>
    automation.triggers.flatMap((trigger, index) => {
      if (trigger.provider !== "webhook") return [];
      // Names of files are told by the rule of the tree, with what they are to be instead.
      const isFile = (uid: string) => definition.webhooks.some(({ name }) => name === fileName(uid));
      return trigger.webhookIds
        .filter((uid) => !state.webhookUids.has(uid) && !isFile(uid))
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
          const message = `no schedule available to this factory has the id "${id}": this trigger does not fire for it`;
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

/** What changes with an upgrade alone: said in plans, and once when this version first applies the definition. */
const triggersStartAsBefore: ServerRule = ({ definition, state, problem }) =>
  state.narrowed.flatMap(({ name, dropped, started }) => {
    const automation = definition.automations.find((each) => each.name === name);
    if (!automation) return [];
    const message =
      `since the upgrade, the automation "${name}" fires for fewer deliveries: ${dropped} of the ` +
      `${pluralize(started, "delivery", "deliveries")} that started it in the last ${TRAFFIC_DAYS} days would no longer start it. ` +
      "A GitHub trigger without repos matches only the repositories listed in factory.yaml, a branch name matches only that " +
      "branch, and for workflow_run_completed, authors matches the authors of the linked pull request; make the filter explicit";
    return [problem(automation.path, ["triggers"], "FF_TRIGGER_NARROWED", message, "warning")];
  });

/** They stand in commands, in paths of the API and in the names of secrets. */
const NAME = /^[A-Za-z0-9_-]+$/;

/** New webhooks and automations have plain names; those that are in force keep the names that they have. */
export const newNamesArePlain: ServerRule = ({ state, problem }) =>
  state.changes
    .filter(({ kind, action }) => action === "create" && (kind === "webhook" || kind === "automation"))
    .filter(({ name }) => !NAME.test(name))
    .map(({ kind, name, path }) => {
      const message =
        `${JSON.stringify(name)} is not a valid name for a new ${kind}: use only letters, digits, - and _, ` +
        `and rename its ${kind === "webhook" ? "file" : "file or folder"}`;
      return problem(path, [], "FF_INVALID_VALUE", message);
    });

const SERVER_RULES: readonly { rule: ServerRule; warning: WarningCode | undefined }[] = [
  { rule: webhookSecretsExist, warning: "secret_missing" },
  { rule: previousSecretsExist, warning: "secret_missing" },
  { rule: previousSecretsHaveNoOuterWhiteSpace, warning: "secret_unusable" },
  { rule: webhookSecretsHaveNoOuterWhiteSpace, warning: "secret_unusable" },
  { rule: urlTokensAreUrlSafe, warning: "secret_unusable" },
  { rule: urlTokensAreHardToGuess, warning: "secret_weak" },
  { rule: signingSecretsFitTheirScheme, warning: "secret_unusable" },
  { rule: webhookIdsNameWebhooks, warning: "webhook_unknown" },
  { rule: scheduleIdsNameSchedules, warning: "schedule_unknown" },
  { rule: linearAndJiraAreNotTogether, warning: undefined },
  { rule: secretsOfAgentsExist, warning: "secret_missing" },
  { rule: notifySecretsExist, warning: "secret_missing" },
  { rule: outboundSecretsExist, warning: "secret_missing" },
  {
    rule: ({ loaded, state }) => serverKeyIsForTheFactory(loaded, state.neededForServerKey),
    warning: "worker_environment_refused",
  },
  { rule: serverKeyGoesWhereTheServerSays, warning: "secret_redirects_key" },
  { rule: ({ loaded, state }) => workerHostsAreKnown(loaded, state.workers), warning: "worker_host_unknown" },
  { rule: newNamesArePlain, warning: undefined },
  { rule: triggersStartAsBefore, warning: "trigger_narrowed" },
];

/** Those that need the files and the settings alone. */
const SETTINGS_RULES: readonly { rule: SettingsRule; warning: WarningCode | undefined }[] = [
  { rule: ({ loaded, state }) => harnessesAreKnown(loaded, state.hasHarness), warning: "harness_unknown" },
  { rule: ({ loaded }) => runnersAreThere(loaded), warning: "runner_unknown" },
  {
    rule: ({ loaded, state }) => (state.host === undefined ? [] : runnersFitTheHost(loaded, state.host)),
    warning: "runner_ignored",
  },
  {
    rule: ({ loaded, state }) => repositoriesWithoutForge(loaded, state.forges),
    warning: "repository_without_forge",
  },
  { rule: ({ loaded, state }) => pushesHaveAnApp(loaded, state.forges), warning: "push_without_app" },
  { rule: networksStayWithinServer, warning: undefined },
  { rule: ({ loaded, state }) => pricesAreKnown(loaded, state.hasPrice), warning: "price_unknown" },
];
