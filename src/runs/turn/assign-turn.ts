import type { Harness } from "../../definitions/definition.ts";
import { webhookSecretNamesOf } from "../../definitions/rules/check-server.ts";
import { errorMessage, MillraceError, setSecret } from "../../errors/error.ts";
import type { RepositoryName, ServerForges } from "../../forge/forge.ts";
import { isOfRepository } from "../../git/checkout.ts";
import type { GitAccess } from "../../git/git-environment.ts";
import type { SecretReader } from "../../secrets/rules/scope.ts";
import { workerEnvironmentFor } from "../../secrets/setting-scopes.ts";
import type { Vault } from "../../secrets/vault.ts";
import { findLastOutput, type OutputEndStore, type TranscriptStore } from "../output/transcript.ts";
import type { Claim, Run } from "../run.ts";
import type { AssignedKey, AssignedRepository, Assignment, Machine } from "./assignment.ts";
import { type Injection, injectionsOf, newPlaceholder, withPlaceholders } from "./injection.ts";
import type { RunNeeds } from "./needs.ts";
import { newRunToken } from "./run-token.ts";

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
  const { repositoriesOf, repositoriesAreOptional, setupCommands, cacheSetup, machine, network } = needs;
  return {
    ...claim,
    repositoriesOf,
    repositoriesAreOptional,
    setupCommands,
    cacheSetup,
    machine,
    secrets,
    key,
    runToken,
    pushToken: ofPush[0]?.placeholder ?? push?.token,
    ...(network ? { network } : {}),
    ...(injections.length > 0 ? { injections } : {}),
    repositories,
    registryAuths: registry?.auths,
    hidden: [...opened.values(), keyValue, push?.token, ...(registry?.hidden ?? []), runToken].filter(
      (value) => value !== undefined,
    ),
    notes: [
      ...needs.secrets.filter((name) => !secrets.has(name)).map(goesWithout),
      whyNoPush(run),
      whichModel(run),
    ].filter((note) => note !== undefined),
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

function whichModel({ fallbackOf, execution }: Run): string | undefined {
  if (fallbackOf === undefined) return undefined;
  return `this turn uses the fallback model ${execution.harness.model}, because the provider of ${fallbackOf} refuses more at the moment`;
}

function goesWithout(secret: string): string {
  return `the secret ${secret} is not set in this turn: no secret with this name is available to the agent`;
}

/** Where a harness finds the key of its program. */
export interface KeyPlaces {
  vault: Pick<Vault, "open">;
  /** Names of the secrets that the webhooks of its factory authenticate with. */
  webhookSecrets: readonly string[];
  /** Whether the agents of a factory may have a key of the environment of whoever executes them. */
  mayUseWorkerEnvironment(factoryUid: string | null): Promise<boolean>;
  factoryUid: string | null;
  /** What the factory is called, for what to do when there is none. */
  factoryName: string | undefined;
}

/**
 * The key that a definition names for its harness: a secret, which need not be granted; or with `workerEnvironment` what
 * the executor itself has under one of the names under which the program looks for it.
 * @throws MillraceError `environment_setup_failed` when there is no such secret, or when the factory may not use what there is
 */
export async function openHarnessKey(
  { type, auth }: Harness,
  places: KeyPlaces,
): Promise<AssignedKey | undefined> {
  if (auth?.source === "workerEnvironment") {
    if (!(await places.mayUseWorkerEnvironment(places.factoryUid))) throw notOfWorker(type, places);
    return { fromEnvironment: true };
  }
  if (auth?.source !== "managedSecret") return undefined;
  const { vault, factoryUid, webhookSecrets, factoryName } = places;
  const reader = { agentsOf: factoryUid };
  const name = auth.secretName;
  const value = webhookSecrets.includes(name) ? undefined : (await vault.open([name], reader)).get(name);
  if (value !== undefined) return { value };
  throw new MillraceError(
    "environment_setup_failed",
    `The harness ${type} has no key: no secret ${name} is available to the agents of its factory`,
    { remedy: `Set it with \`${setSecret(name, factoryName)}\`.` },
  );
}

function notOfWorker(type: string, { factoryUid }: KeyPlaces): MillraceError {
  const who = factoryUid === null ? "runs without a factory" : "the factory";
  return new MillraceError(
    "environment_setup_failed",
    `The harness ${type} has no key: auth.source is workerEnvironment, and ${who} may not use the key in the server's environment`,
    {
      remedy: `Add \`${workerEnvironmentFor(factoryUid)}\` to millrace.yaml and restart the server, or specify a secret in auth.`,
    },
  );
}

/**
 * Why a run gets no token to push although its automation grants one: what a fork brings is executed beside it, and could
 * push whatever it likes.
 */
function whyNoPush({ execution: { push, checkout } }: Pick<Run, "execution">): string | undefined {
  if (!push || !checkout?.fromFork) return undefined;
  return `this turn has no push token: its event comes from a fork of ${checkout.repository}, whose code is untrusted`;
}

/**
 * The token with which a run can push, for a run whose automation grants it: for the repository of its event, or the only
 * one that it has; and the URL of that.
 * @throws MillraceError `environment_setup_failed` where no such token can be made
 */
async function pushCredential(
  run: Pick<Run, "execution" | "factoryUid">,
  { repositories }: Pick<RunNeeds, "repositories">,
  forges: ServerForges<GitAccess>,
  signal: AbortSignal,
): Promise<{ token: string; url: string } | undefined> {
  const { push, checkout } = run.execution;
  if (!push || whyNoPush(run) !== undefined) return undefined;
  const ofEvent = repositories.find((each) => isOfRepository(each, checkout));
  const [only, another] = repositories;
  const repository = ofEvent ?? (another ? undefined : only);
  if (!repository)
    throw refused(
      `\`push: true\` applies to one repository, but this run has ${repositories.length}, and its event is not from any of them. ` +
        "Use an environment with one repository for the automation",
    );
  const located = (await forges.of(run.factoryUid)).locate(repository);
  if ("missing" in located) throw refused(cannotPush(repository, located.missing));
  if (!located.push)
    throw refused(
      cannotPush(
        repository,
        `Only a GitHub App can create a token for this repository alone, and this forge has no app: set app: next to ${located.tokenIn}, ` +
          "or grant a secret with your own token instead of `push: true`",
      ),
    );
  try {
    return { token: await located.push(signal), url: located.originUrl ?? located.url };
  } catch (error) {
    throw refused(cannotPush(repository, errorMessage(error)));
  }
}

function cannotPush({ owner, name }: RepositoryName, why: string): string {
  return `A token to push to ${owner}/${name} could not be created. ${why}`;
}

function refused(message: string): MillraceError {
  return new MillraceError("environment_setup_failed", message.replace(/\.$/, ""));
}

/** The credential with which an engine pulls an image. */
export interface RegistryCredential {
  /** What stands under `auths` in docker's settings. */
  auths: Auths;
  /** What of it must not be shown. */
  hidden: readonly string[];
}

type Auths = Record<string, unknown>;

/**
 * Opens the credential that a runner names.
 * @throws MillraceError `environment_setup_failed` for one that is not there or that cannot be read
 */
export async function openRegistryCredential(
  { registrySecret }: Machine,
  {
    vault,
    reader,
    factoryName,
  }: { vault: Pick<Vault, "open">; reader: SecretReader; factoryName: string | undefined },
): Promise<RegistryCredential | undefined> {
  if (registrySecret === undefined) return undefined;
  const value = (await vault.open([registrySecret], reader)).get(registrySecret);
  if (value === undefined) {
    throw new MillraceError(
      "environment_setup_failed",
      `The image cannot be pulled: no secret ${registrySecret} is available to the factory's runners`,
      { remedy: `Set it with \`${setSecret(registrySecret, factoryName)}\`.` },
    );
  }
  const auths = readCredential(registrySecret, value);
  return { auths, hidden: [value, ...textsIn(auths)] };
}

function readCredential(name: string, value: string): Auths {
  const said = parse(value);
  if (isMapping(said) && isMapping(said.auths)) return said.auths;
  if (isMapping(said) && [said.host, said.user, said.password].every(isText)) {
    return { [String(said.host)]: { auth: Buffer.from(`${said.user}:${said.password}`).toString("base64") } };
  }
  throw new MillraceError(
    "environment_setup_failed",
    `The image cannot be pulled: the secret ${name} is not a registry credential`,
    {
      remedy:
        'Set it to JSON in the form {"host": "registry.example.com", "user": "…", "password": "…"}, or to the JSON that ' +
        '`docker login` writes ({"auths": {…}}).',
    },
  );
}

function parse(value: string): unknown {
  try {
    return JSON.parse(value);
  } catch {
    return undefined;
  }
}

/** The passwords and what engines make of them. */
function textsIn(value: unknown): string[] {
  if (isText(value)) return [value, ...passwordOf(value)];
  return isMapping(value) ? Object.values(value).flatMap(textsIn) : [];
}

/** Of `user:password` in base64. */
function passwordOf(auth: string): string[] {
  const decoded = Buffer.from(auth, "base64").toString();
  const colon = decoded.indexOf(":");
  return colon < 0 || !/^[A-Za-z0-9+/]+=*$/.test(auth) ? [] : [decoded.slice(colon + 1)].filter(Boolean);
}

const isText = (value: unknown): value is string => typeof value === "string" && value !== "";
const isMapping = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value);
