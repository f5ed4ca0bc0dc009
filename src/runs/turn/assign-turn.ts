import { webhookSecretNamesOf } from "../../definitions/rules/check-server.ts";
import type { ServerForges } from "../../forge/forge.ts";
import type { GitAccess } from "../../git/git-environment.ts";
import type { Vault } from "../../secrets/vault.ts";
import { newRunToken } from "../agents/run-token.ts";
import { findLastOutput, type OutputEndStore, type TranscriptStore } from "../output/transcript.ts";
import type { Claim } from "../run.ts";
import type { AssignedRepository, Assignment } from "./assignment.ts";
import { openHarnessKey } from "./harness-key.ts";
import { type Injection, injectionsOf, newPlaceholder, withPlaceholders } from "./injection.ts";
import type { RunNeeds } from "./needs.ts";
import { pushCredential, whyNoPush } from "./push-credential.ts";
import { openRegistryCredential } from "./registry-credential.ts";

export interface AssignDeps {
  store: OutputEndStore;
  transcripts: Pick<TranscriptStore, "findLastSeq">;
  vault: Pick<Vault, "open">;
  forges: ServerForges<GitAccess>;
  /** Whether the agents of a factory may have a key of the environment of whoever executes them. */
  mayUseWorkerEnvironment(factoryUid: string | null): Promise<boolean>;
  /** Whether programs run in containers: only those are made of an image. */
  usesImages: boolean;
  timeoutMs: number;
  setupTimeoutMs?: number;
}

/**
 * Puts together what the executor of a claimed turn needs: nothing of the server's that the run was not granted.
 * @throws MillraceError `environment_setup_failed` that says what cannot be had
 */
export async function assignTurn(
  claim: Claim,
  needs: RunNeeds,
  deps: AssignDeps,
  signal: AbortSignal,
): Promise<Assignment> {
  const { run } = claim;
  const { vault } = deps;
  const reader = { agentsOf: run.factoryUid };
  const factoryName = needs.active?.definition.factory.name;
  const opened = await vault.open(needs.secrets, reader);
  const ofSecrets = injectionsOf(run.execution.inject, opened);
  const secrets = withPlaceholders(opened, ofSecrets);
  const key = await openHarnessKey(run.execution.harness, {
    vault,
    factoryUid: run.factoryUid,
    mayUseWorkerEnvironment: deps.mayUseWorkerEnvironment,
    webhookSecrets: needs.active ? webhookSecretNamesOf(needs.active.definition) : [],
    factoryName,
  });
  const repositories = await locateAll(run.factoryUid, needs, deps.forges);
  const push = await pushCredential(run, needs, deps.forges, signal);
  const ofPush = needs.network && push ? [pushInjection(push)] : [];
  const injections = [...ofSecrets, ...ofPush];
  const registry = deps.usesImages
    ? await openRegistryCredential(needs.machine, { vault, reader, factoryName })
    : undefined;
  const runToken = newRunToken();
  const keyValue = key && "value" in key ? key.value : undefined;
  const { repositoriesOf, repositoriesAreOptional, setupCommands, machine, network } = needs;
  return {
    ...claim,
    ...{ repositoriesOf, repositoriesAreOptional, setupCommands, machine, secrets, key, runToken },
    pushToken: ofPush[0]?.placeholder ?? push?.token,
    ...(network ? { network } : {}),
    ...(injections.length > 0 ? { injections } : {}),
    repositories,
    registryAuths: registry?.auths,
    hidden: [...opened.values(), keyValue, push?.token, ...(registry?.hidden ?? []), runToken].filter(
      (value) => value !== undefined,
    ),
    notes: [...needs.secrets.filter((name) => !secrets.has(name)).map(goesWithout), whyNoPush(run)].filter(
      (note) => note !== undefined,
    ),
    lastSeq: await findLastOutput(run.id, deps),
    timeoutMs: deps.timeoutMs,
    ...(deps.setupTimeoutMs === undefined ? {} : { setupTimeoutMs: deps.setupTimeoutMs }),
  };
}

/** Where the repositories of a run are, or why nobody knows. */
export async function locateAll(
  factoryUid: string | null,
  { repositories }: Pick<RunNeeds, "repositories">,
  forges: ServerForges<GitAccess>,
): Promise<AssignedRepository[]> {
  if (repositories.length === 0) return [];
  const usable = await forges.of(factoryUid);
  return repositories.map(({ owner, name }) => ({ owner, name, remote: usable.locate({ owner, name }) }));
}

/** A run whose network is held pushes with a text that its proxy replaces, in requests to the forge of the repository. */
function pushInjection({ token, url }: { token: string; url: string }): Injection {
  const hosts = URL.canParse(url) && url.startsWith("https:") ? forgeHosts(new URL(url)) : [];
  return { name: "GITHUB_ACCESS_TOKEN", placeholder: newPlaceholder(), value: token, hosts };
}

/** Of github.com, the API has a host of its own. */
function forgeHosts({ host, hostname }: URL): string[] {
  return hostname === "github.com" ? [host, "api.github.com"] : [host];
}

function goesWithout(secret: string): string {
  return `the secret ${secret} is not set in this turn: no secret with this name is available to the agent`;
}
