import type { Definition, Execution } from "./definition.ts";

/** Something in a tree that only a server can resolve. */
export interface DeferredResolution {
  path: string;
  /** As its author has written it, for example `triggers[0].filter.webhook_ids`. */
  field: string;
  kind: "secret" | "webhook" | "environment" | "runner" | "harness" | "repository";
}

/** What of a definition is held against a server when it is planned or applied. */
export const STATE_DEPENDENT_CHECKS = [
  "secrets",
  "webhook_uids",
  "environments",
  "runners",
  "harnesses",
  "repositories",
  "factory_name",
] as const;

/** Every place of a valid definition that names something outside of it; what is inherited is told where it is used. */
export function deferredResolutions(definition: Definition): DeferredResolution[] {
  const { factory, agents, automations, webhooks } = definition;
  const runners = new Set(definition.runners.map(({ name }) => name));
  return [
    ...(factory.repositories.length > 0 ? [at(factory.path, "repositories", "repository")] : []),
    ...(factory.secrets.length > 0 ? [at(factory.path, "secrets", "secret")] : []),
    ...definition.runners
      .filter(({ registryCredentialSecretName }) => registryCredentialSecretName !== undefined)
      .map(({ path }) => at(path, "platform.linux.registryCredentialSecretName", "secret")),
    ...webhooks.map(({ path }) => at(path, "secretName", "secret")),
    ...webhooks
      .filter(({ previous }) => previous !== undefined)
      .map(({ path }) => at(path, "millrace.previousSecretName", "secret")),
    ...[...agents, ...automations].flatMap(({ path, execution }) => ofExecution(path, execution, runners)),
    ...automations.flatMap(({ path, triggers }) =>
      triggers.flatMap((trigger, index) =>
        trigger.provider === "webhook" && trigger.webhookIds.length > 0
          ? [at(path, `triggers[${index}].filter.webhook_ids`, "webhook")]
          : [],
      ),
    ),
  ];
}

function ofExecution(
  path: string,
  { harness, runner, environmentId, secrets }: Execution,
  runners: ReadonlySet<string>,
): DeferredResolution[] {
  return [
    at(path, "harness.type", "harness"),
    ...(harness.auth?.source === "managedSecret" ? [at(path, "harness.auth.secretName", "secret")] : []),
    ...(secrets.length > 0 ? [at(path, "secrets", "secret")] : []),
    ...(environmentId === undefined ? [] : [at(path, "environmentId", "environment")]),
    ...(runner === undefined || runners.has(runner) ? [] : [at(path, "runner", "runner")]),
  ];
}

function at(path: string, field: string, kind: DeferredResolution["kind"]): DeferredResolution {
  return { path, field, kind };
}
