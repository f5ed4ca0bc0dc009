import type { Loaded } from "../loading/loaded.ts";
import type { DataPath } from "../loading/parse.ts";
import type { Problem, Severity } from "../problem.ts";
import { problemAt, type TreeRule, type WrittenFile, type WrittenTree } from "../tree.ts";
import { executions } from "./agent-rules.ts";
import { type Level, levels, missing, type Named, whereWritten } from "./reference-rules.ts";
import type { ServerRule } from "./server-rule.ts";

/** How it is said of a secret that it is not there. */
interface Wording {
  says(name: string): string;
  severity: Severity;
}

/** Every secret that agents are granted, that is the key of their harness or that pulls their image, where it is written first. */
export function agentSecretsExist(
  loaded: Loaded,
  isThere: (name: string) => boolean,
  { says, severity }: Wording,
): Problem[] {
  const named = [...grantedSecrets(loaded), ...harnessKeys(loaded), ...registryCredentials(loaded)];
  return missing(named, isThere, loaded, says, severity);
}

function grantedSecrets(loaded: Loaded): Named[] {
  return [...ofFactory(loaded), ...levels(loaded).flatMap((level) => ofLevel(level, loaded))];
}

/** The secrets that an agent or an automation gets, where they are written. */
function grantedTo(level: Level, loaded: Loaded): Named[] {
  return [...ofFactory(loaded), ...ofLevel(level, loaded)];
}

function ofFactory(loaded: Loaded): Named[] {
  const factory = loaded.definition?.factory;
  return (factory?.secrets ?? []).map((name, index): Named => {
    return { name, written: { path: factory?.path ?? "", at: ["secrets", index] } };
  });
}

function ofLevel(level: Level, loaded: Loaded): Named[] {
  return level.of.execution.secrets.map((name): Named => {
    const holds = (value: unknown) =>
      Array.isArray(value) && value.includes(name) ? [value.indexOf(name)] : undefined;
    return { name, written: whereWritten(level, ["secrets"], holds, loaded) };
  });
}

function harnessKeys(loaded: Loaded): Named[] {
  return levels(loaded).flatMap((level): Named[] => {
    const { auth } = level.of.execution.harness;
    if (auth?.source !== "managedSecret") return [];
    const name = auth.secretName;
    const isIt = (value: unknown) => (value === name ? [] : undefined);
    return [{ name, written: whereWritten(level, ["harness", "auth", "secretName"], isIt, loaded) }];
  });
}

function registryCredentials({ definition }: Loaded): Named[] {
  return (definition?.runners ?? []).flatMap(({ path, registryCredentialSecretName: name }): Named[] => {
    const at = ["platform", "linux", "registryCredentialSecretName"];
    return name === undefined ? [] : [{ name, written: { path, at } }];
  });
}

const SOURCE = "workerEnvironment";

/**
 * A warning, where it is written first, for a factory whose agents take their key from the environment of the server and may not:
 * their runs fail.
 * @param needed what millrace.yaml has to say for them to have it; nothing where they may
 */
export function serverKeyIsForTheFactory(loaded: Loaded, needed: string | undefined): Problem[] {
  if (needed === undefined) return [];
  const named = levels(loaded).flatMap((level): Named[] => {
    if (level.of.execution.harness.auth?.source !== SOURCE) return [];
    const isIt = (value: unknown) => (value === SOURCE ? [] : undefined);
    return [{ name: SOURCE, written: whereWritten(level, ["harness", "auth", "source"], isIt, loaded) }];
  });
  const says = () =>
    "this factory may not use the model key in the server's environment, so runs that need it fail: add " +
    `${needed} to millrace.yaml, or specify a secret: auth: { source: managedSecret, secretName: NAME }`;
  return missing(named, () => false, loaded, says);
}

/** Whoever writes a definition must not say where the key in the environment of the server or of a worker is sent. */
export const serverKeyGoesWhereTheServerSays: ServerRule = ({ loaded, state, problem }) => {
  const redirecting = levels(loaded).flatMap((level) => {
    const { type, auth } = level.of.execution.harness;
    if (auth?.source !== SOURCE) return [];
    return grantedTo(level, loaded).filter(({ name }) => state.redirectsKey(type, name));
  });
  const byPlace = new Map(redirecting.map((named) => [JSON.stringify(named), named]));
  // What is in force goes on for whatever else it does: its runs that need the key fail.
  const severity = state.isActive ? "warning" : "error";
  return [...byPlace.values()].map(({ name, written: { path, at } }) => {
    const message =
      `the secret "${name}" would determine where the model key in the environment of the server or worker is sent (auth: { source: ${SOURCE} }): ` +
      `remove it, or specify a secret: auth: { source: managedSecret, secretName: NAME }`;
    return problem(path, at, "FF_SECRET_REDIRECTS_KEY", message, severity);
  });
};

/** A secret that a webhook goes by is never an agent's, so a grant of it does nothing: that is said at both places. */
export const webhookSecretsAreNotGranted: TreeRule = (tree) => {
  const grants = grantsOf(tree);
  const ofOutbound = tree.outbound.flatMap((outbound) =>
    withheld(
      outbound,
      "outbound webhook",
      { secretName: outbound.data.secretName, at: ["secretName"] },
      grants,
    ),
  );
  const ofWebhooks = tree.webhooks.flatMap((webhook): Problem[] => {
    const { secretName, millrace: { previousSecretName } = {} } = webhook.data;
    const names = [
      { secretName, at: ["secretName"] },
      ...(previousSecretName === undefined
        ? []
        : [{ secretName: previousSecretName, at: ["millrace", "previousSecretName"] }]),
    ];
    return names.flatMap((named) => withheld(webhook, "webhook", named, grants));
  });
  return [...ofWebhooks, ...ofOutbound];
};

type Grant = ReturnType<typeof grantsOf>[number];

function withheld(
  webhook: WrittenFile<unknown>,
  noun: "webhook" | "outbound webhook",
  { secretName, at }: { secretName: string; at: DataPath },
  grants: readonly Grant[],
): Problem[] {
  const granted = grants.filter(({ name }) => name === secretName);
  if (granted.length === 0) return [];
  const atWebhook = `"${secretName}" is also granted to agents (${granted[0]?.written.path}), but agents never receive the secret of ${noun === "webhook" ? "a" : "an"} ${noun}`;
  const atGrant = `"${secretName}" is the secret of the ${noun} "${webhook.name}", which agents never receive: grant another secret`;
  return [
    problemAt(webhook, at, "FF_SECRET_WITHHELD", atWebhook, "warning"),
    ...granted.map((grant) => problemAt(grant.written, grant.at, "FF_SECRET_WITHHELD", atGrant, "warning")),
  ];
}

function grantsOf(tree: WrittenTree) {
  const { factory } = tree;
  const lists = [
    ...(factory ? [{ written: factory, at: ["secrets"], names: factory.data.secrets }] : []),
    ...executions(tree).map(({ written, at, execution }) => {
      return { written, at: [...at, "secrets"], names: execution.secrets };
    }),
  ];
  return lists.flatMap(({ written, at, names }) =>
    (names ?? []).map((name, index) => ({ written, at: [...at, index], name })),
  );
}
