import { secretNamesOf } from "../../definitions/rules/check-server.ts";
import { MillraceError } from "../../errors/error.ts";
import type { Notifier } from "../../notifications/start-notifications.ts";
import type { OutboundSender } from "../../outbound-webhooks/start-outbound.ts";
import { webhookSecretsOf } from "../../reconcile/active-definition.ts";
import type { Factories } from "../../reconcile/factories.ts";
import type { Factory } from "../../reconcile/running-factory.ts";
import { reconcileSharedSecret } from "../../reconcile/shared-secrets.ts";
import { includesFactory, type SecretScope } from "../../secrets/rules/scope.ts";
import type { SecretSummary } from "../../secrets/secret.ts";
import { noSecret, type Vault } from "../../secrets/vault.ts";
import { checkWebhookSecret } from "../../secrets/webhook-secret.ts";
import { reachesFactory } from "../http/authorize.ts";
import type { Cursors } from "../http/cursor.ts";
import { type BodyOf, type Called, type Endpoints, keyOf } from "../http/endpoint.ts";
import { pageOf } from "../http/page.ts";
import { invalidField } from "../runs/start/agent-config-check.ts";
import { type AskedSecret, chooseScope, requireOwnSecret, seesSecret } from "./secret-scopes.ts";
import { findSecretUsers, namesOfUses, type SecretUserDeps, usesOf } from "./secret-users.ts";

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
