import type { Models } from "../../client/typed-paths.ts";
import type { Definition, Execution } from "../../definitions/definition.ts";
import { secretNamesOf } from "../../definitions/rules/check-server.ts";
import { invalidField, MillraceError } from "../../errors/error.ts";
import type { Notifier } from "../../messages/notifications.ts";
import type { OutboundSender } from "../../messages/outbound-events.ts";
import { type ApiKey, reachesFactory } from "../../principals/principal.ts";
import { webhookSecretsOf } from "../../reconcile/active-definition.ts";
import type { Factories } from "../../reconcile/factories.ts";
import type { Factory } from "../../reconcile/running-factory.ts";
import { reconcileSharedSecret } from "../../reconcile/shared-secrets.ts";
import type { AgentIdentity, IdentityStore } from "../../runs/agents/agent-identity.ts";
import type { EnvironmentStore } from "../../runs/agents/cloud-environment.ts";
import {
  includesFactory,
  isWithin,
  NO_FACTORY,
  onlyFor,
  type SecretScope,
  SHARED,
} from "../../secrets/rules/scope.ts";
import type { SecretSummary } from "../../secrets/secret.ts";
import { noSecret, type Vault } from "../../secrets/vault.ts";
import { checkWebhookSecret } from "../../secrets/webhook-secret.ts";
import { type BodyOf, type Called, type Endpoints, keyOf } from "../http/endpoint.ts";
import { type Cursors, pageOf } from "../http/page.ts";

export interface SecretDeps extends Pick<SecretUserDeps, "environments" | "identities"> {
  vault: Vault;
  factories: Factories;
  cursors: Cursors;
  /** Those who send with secrets. */
  notifier: Pick<Notifier, "secretChanged">;
  outboundSender: Pick<OutboundSender, "secretChanged">;
}

export function secretEndpoints(deps: SecretDeps) {
  const { vault, factories, cursors, notifier, outboundSender } = deps;
  return {
    listSecrets: {
      async handle(request) {
        const seen = (await vault.list()).filter((secret) => seesSecret(keyOf(request), secret, vault));
        const { items, pageInfo } = pageOf(seen, ({ name }) => name, request, cursors);
        const usersOf = await findSecretUsers(keyOf(request), deps);
        const secrets = items.map((item) => view(item, request, usersOf));
        return { json: { secrets, page_info: pageInfo } };
      },
    },
    setSecret: {
      async handle(request) {
        const secret = await askedSecret(request);
        requireOwnSecret(secret, vault);
        const scope = chooseScope(request.body, secret, { factories, vault });
        refuseTakingAway(secret, scope, factories);
        const { value } = request.body;
        const set =
          value === undefined
            ? await setScope(secret, scope, request.body)
            : await vault.set(secret.name, asUsed(secret.name, value), scope, secret.found);
        reconcileSharedSecret(set.name, factories);
        // What receivers refused was sent with the value before.
        for (const sender of [notifier, outboundSender]) await sender.secretChanged(set.name);
        return { json: view(set, request, await findSecretUsers(secret.key, deps)) };
      },
    },
    deleteSecret: {
      async handle(request) {
        const secret = await askedSecret(request);
        const { name, found, key } = secret;
        if (!found || !seesSecret(key, { name, ...found }, vault)) throw noSecret(name);
        requireOwnSecret(secret, vault);
        refuseUsed(secret, factories, vault);
        await vault.remove(name, found);
        reconcileSharedSecret(name, factories);
        return { status: 204 };
      },
    },
  } satisfies Endpoints;

  /** What webhooks go by is held to what a sender can send. */
  function asUsed(name: string, value: string): string {
    const isOfWebhook = webhookSecretsOf(factories.list()).has(name);
    return isOfWebhook ? checkWebhookSecret("value", value) : value;
  }

  async function askedSecret(request: Called & { path: { name: string } }): Promise<AskedSecret> {
    const { name } = request.path;
    return { name, found: await vault.scopeOf(name), key: keyOf(request) };
  }

  /** Says anew who may use a secret that is there, whose value nobody has to know for that. */
  async function setScope(
    { name, found }: AskedSecret,
    scope: SecretScope,
    body: BodyOf<"setSecret">,
  ): Promise<SecretSummary> {
    if (body.shared === undefined && body.factories === undefined) {
      throw invalidField(
        "value",
        "a new secret requires a value; factories or shared can be set without a value only for an existing secret",
      );
    }
    if (!found) throw noSecret(name);
    await vault.putScope({ name, ...scope }, found);
    const now = (await vault.list()).find((each) => each.name === name);
    if (now) return now;
    throw noSecret(name);
  }

  /** Factories are named as they are called now, and only those that the key reaches. */
  function view(
    { name, created_at, updated_at, ...scope }: SecretSummary,
    request: Called,
    usersOf: Awaited<ReturnType<typeof findSecretUsers>>,
  ) {
    const reached = scope.factories.filter((uid) => reachesFactory(keyOf(request), uid));
    return {
      name,
      created_at,
      updated_at,
      shared: scope.shared,
      factories: reached.map((uid) => factories.find(uid)?.record.name ?? uid),
      of_server: vault.isOfServer(name),
      used_by: usersOf({ name, ...scope }),
    };
  }
}

/** A definition whose secret is gone could not be applied again, so it has to let go first. */
function refuseTakingAway({ name, found }: AskedSecret, scope: SecretScope, factories: Factories): void {
  if (!found) return;
  const lose = usersOf(name, factories).filter(
    ({ record: { uid } }) => includesFactory(found, uid) && !includesFactory(scope, uid),
  );
  if (lose.length > 0) throw used(name, `the definition of ${namesOf(lose)}`, "the definition");
}

/** As {@link refuseTakingAway}; and a source, or a forge, could not be opened. */
function refuseUsed(
  { name, key }: AskedSecret,
  factories: Factories,
  vault: Pick<Vault, "isOfServer">,
): void {
  const defined = usersOf(name, factories);
  const opened = factories.list().filter(({ sourceSecrets }) => sourceSecrets.includes(name));
  if (defined.length > 0) {
    const seen = defined.filter(({ record }) => reachesFactory(key, record.uid));
    const uses = seen.flatMap(usesOf).filter(([secret, kind]) => secret === name && kind !== "source");
    const by = uses.length > 0 ? `: ${namesOfUses(uses)}` : "";
    throw used(name, `the definition of ${namesOf(defined)}${by}`, "the definition");
  }
  if (opened.length > 0)
    throw used(name, `the source of ${namesOf(opened)}`, "credentials: in millrace.yaml");
  if (vault.isOfServer(name)) throw used(name, "the settings of the server", "millrace.yaml");
}

function usersOf(secret: string, factories: Factories): Factory[] {
  return factories.list().filter(({ active }) => active && secretNamesOf(active.definition).includes(secret));
}

function used(name: string, by: string, where: string): MillraceError {
  return new MillraceError("conflict", `The secret ${name} is used by ${by}.`, {
    remedy: `Remove it from ${where} first.`,
    retryable: false,
  });
}

function namesOf(factories: readonly Factory[]): string {
  return factories.map(({ record }) => `"${record.name}"`).join(", ");
}

/** A managed secret in the shape of the public API. */
export interface SecretReference {
  name: string;
}

/** The names in a list of secrets. @throws MillraceError `invalid_request` when one is there twice */
export function secretNamesIn(references: readonly SecretReference[]): string[] {
  const names = new Set<string>();
  for (const { name } of references) {
    if (names.has(name)) {
      throw new MillraceError("invalid_request", `secrets: "${name}" is listed twice; list it once.`, {
        extra: { field: "secrets" },
      });
    }
    names.add(name);
  }
  return [...names];
}

export function secretReferences(names: readonly string[]): SecretReference[] {
  return names.map((name) => ({ name }));
}

type SecretUser = Models["SecretUser"];
/** One use: the name of the secret, and who uses it. */
type Use = readonly [secret: string, kind: SecretUser["kind"], name: string];

/** A factory that may not use a secret does not use it, whatever its definition names. */
type UsersOfSecret = (secret: SecretScope & { name: string }) => SecretUser[];

interface SecretUserDeps {
  factories: Pick<Factories, "list">;
  environments: Pick<EnvironmentStore, "list">;
  identities: Pick<IdentityStore, "list">;
  vault: Pick<Vault, "isOfServer">;
}

/** Who uses each secret, as far as a key may know: what belongs to no factory is shown to keys of the whole server. */
async function findSecretUsers(key: ApiKey, deps: SecretUserDeps): Promise<UsersOfSecret> {
  const found = new Map<string, { user: SecretUser; uid: string | null }[]>();
  const add = (factory: { uid: string; name: string } | null, uses: readonly Use[]) => {
    for (const [secret, kind, name] of uses) {
      const users = found.get(secret) ?? [];
      found.set(secret, users);
      const uid = factory?.uid ?? null;
      if (!users.some((known) => known.user.kind === kind && known.user.name === name && known.uid === uid))
        users.push({ user: { kind, name, factory: factory?.name ?? null }, uid });
    }
  };
  for (const factory of deps.factories.list()) {
    if (reachesFactory(key, factory.record.uid)) add(factory.record, usesOf(factory));
  }
  const seesServer = reachesFactory(key, null);
  if (seesServer) {
    const [environments, identities] = await Promise.all([deps.environments.list(), deps.identities.list()]);
    for (const {
      config: { name, secrets },
    } of environments)
      add(
        null,
        secrets.map((secret): Use => [secret, "environment", name]),
      );
    for (const identity of identities) add(null, usesOfIdentity(identity));
  }
  return ({ name, ...scope }) => {
    const users = (found.get(name) ?? [])
      .filter(({ user, uid }) => uid === null || user.kind === "source" || includesFactory(scope, uid))
      .map(({ user }) => user);
    const ofServer = seesServer && deps.vault.isOfServer(name);
    return ofServer ? [...users, { kind: "settings", name: "millrace.yaml", factory: null }] : users;
  };
}

/** What a factory uses: its definition and its source. */
function usesOf({ record, active, sourceSecrets }: Factory): Use[] {
  return [
    ...(active ? usesOfDefinition(active.definition, record.name) : []),
    ...sourceSecrets.map((secret): Use => [secret, "source", record.name]),
  ];
}

function usesOfDefinition(definition: Definition, factoryName: string): Use[] {
  const { factory, webhooks, outbound, agents, automations, runners } = definition;
  const granted = new Set(factory.secrets);
  return [
    ...factory.secrets.map((secret): Use => [secret, "factory", factoryName]),
    ...(factory.notify ?? []).flatMap(({ name, kind, secretName }): Use[] =>
      secretName === undefined ? [] : [[secretName, "notification", name ?? kind]],
    ),
    ...outbound.map(({ name, secretName }): Use => [secretName, "outbound", name]),
    ...webhooks.map(({ name, secretName }): Use => [secretName, "webhook", name]),
    ...webhooks.flatMap(({ name, previous }): Use[] =>
      previous ? [[previous.secretName, "webhook", name]] : [],
    ),
    ...agents.flatMap(({ name, execution }) => usesOfExecution(execution, granted, "agent", name)),
    ...automations.flatMap(({ name, execution }) => usesOfExecution(execution, granted, "automation", name)),
    ...runners.flatMap(({ name, registryCredentialSecretName: secret }): Use[] =>
      secret === undefined ? [] : [[secret, "runner", name]],
    ),
  ];
}

/** What the factory grants to every run is the factory's use. */
function usesOfExecution(
  { secrets, harness: { auth } }: Execution,
  granted: ReadonlySet<string>,
  kind: "agent" | "automation",
  name: string,
): Use[] {
  const all = auth?.source === "managedSecret" ? [...secrets, auth.secretName] : secrets;
  return all.filter((secret) => !granted.has(secret)).map((secret) => [secret, kind, name]);
}

function usesOfIdentity({ name, secrets, config }: AgentIdentity): Use[] {
  const ofHarness = Object.values(config.harness_auth_secrets ?? {});
  return [...secrets, ...ofHarness].map((secret) => [secret, "agent", name]);
}

/** Users in words: `webhook "ci", automation "a"`. */
function namesOfUses(uses: readonly Use[]): string {
  const names = uses.map(([, kind, name]) => `${kind} "${name}"`);
  const shown = names.slice(0, MAX_NAMED);
  return names.length > shown.length
    ? `${shown.join(", ")} and ${names.length - shown.length} more`
    : shown.join(", ");
}

const MAX_NAMED = 5;

/** What a request says of who may use a secret. */
export interface AskedScope {
  factories?: string[];
  shared?: boolean;
}

/** A secret that a request is about, and whose key asks. */
interface AskedSecret {
  name: string;
  /** The scope that it has; nothing when there is no such secret. */
  found: SecretScope | undefined;
  key: ApiKey;
}

export interface ScopeDeps {
  factories: Factories;
  vault: Pick<Vault, "isOfServer">;
}

/** Whether a key may know of a secret: it reaches a factory that may use it. Credentials of the server are its admins'. */
function seesSecret(
  { factories }: ApiKey,
  { name, ...scope }: SecretScope & { name: string },
  vault: ScopeDeps["vault"],
): boolean {
  if (factories === null) return true;
  return !vault.isOfServer(name) && factories.some((uid) => includesFactory(scope, uid));
}

/**
 * Sees to it that a key may change a secret that is there: all who may use it are factories of the key.
 * @throws MillraceError `not_authorized` when others use it too, `conflict` when only others do
 */
export function requireOwnSecret({ name, found, key }: AskedSecret, vault: ScopeDeps["vault"]): void {
  if (key.factories === null) return;
  if (vault.isOfServer(name)) throw nameTaken(name);
  if (!found || isWithin(found, key.factories)) return;
  if (!seesSecret(key, { name, ...found }, vault)) throw nameTaken(name);
  throw new MillraceError("not_authorized", `The secret ${name} is also used outside this factory.`, {
    remedy: "Use an API key that is not limited to some factories, or a secret with another name.",
  });
}

/**
 * The scope that a secret gets with its value. What a key for one factory sets is that factory's; what nobody says of a
 * secret that some factory uses stays as it is.
 * @throws MillraceError `invalid_request` when nobody says who may use it, and several could be meant
 */
function chooseScope(asked: AskedScope, secret: AskedSecret, deps: ScopeDeps): SecretScope {
  const { name, found, key } = secret;
  const { factories, vault } = deps;
  if (asked.shared && asked.factories) {
    throw invalidField(
      "shared",
      "a shared secret is available to every factory; send either factories or shared, not both",
    );
  }
  if (asked.shared) return sharedBy(key);
  if (asked.factories) return scopeNamed(asked.factories, key, factories);
  const reached = factories.list().filter(({ record }) => reachesFactory(key, record.uid));
  if (found && reached.some(({ record }) => includesFactory(found, record.uid))) return found;
  if (vault.isOfServer(name)) return NO_FACTORY;
  const [only, another] = reached;
  // A factory that is not served now keeps what it could use.
  if (only && !another) return onlyFor([...(found?.factories ?? []), only.record.uid]);
  throw new MillraceError(
    "invalid_request",
    `factories: this server has several factories, and the request does not specify which of them may use the secret ${name}.`,
    {
      remedy: `Run \`millrace secrets set ${name} --factory ${only?.record.name ?? "NAME"}\`, or use --shared to allow every factory; over the API, send factories or shared.`,
      extra: { field: "factories" },
    },
  );
}

function sharedBy({ factories }: ApiKey): SecretScope {
  if (factories === null) return SHARED;
  throw new MillraceError(
    "not_authorized",
    "A shared secret is available to every factory, but the API key is limited to some factories.",
    { remedy: "Specify factories that the key can access, or use a key that is not limited." },
  );
}

/** Only whoever answers for the whole server can leave a secret to the server alone. */
function scopeNamed(names: readonly string[], key: ApiKey, factories: Factories): SecretScope {
  if (names.length === 0 && key.factories !== null)
    throw invalidField("factories", "expected at least one factory that the key can access");
  return onlyFor(names.map((name) => reachedUid(name, key, factories)));
}

function reachedUid(name: string, key: ApiKey, factories: Factories): string {
  const found = factories.find(name);
  if (found && reachesFactory(key, found.record.uid)) return found.record.uid;
  throw new MillraceError("invalid_request", `factories: there is no factory ${JSON.stringify(name)}.`, {
    remedy: "`millrace status` shows the factories that the key can access.",
    extra: { field: "factories" },
  });
}

/** Names are unique on a server. Of a secret that the key does not reach, this is all that is said. */
function nameTaken(name: string): MillraceError {
  return new MillraceError("conflict", `The secret name ${name} is already used on this server.`, {
    remedy: "Choose another name. Definitions can use any secret name.",
    retryable: false,
    extra: { field: "name" },
  });
}
