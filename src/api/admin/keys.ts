import { MillraceError } from "../../errors/error.ts";
import type { Log } from "../../log.ts";
import type { IdentityKeys } from "../../oidc/identity-keys.ts";
import type { Keys } from "../../principals/keys.ts";
import { type ApiKey, expiryAt } from "../../principals/principal.ts";
import type { Factories } from "../../reconcile/factories.ts";
import { type Endpoints, unlimitedKeyOf } from "../http/endpoint.ts";
import { type Cursors, pageOf } from "../http/page.ts";
import type { SecretAnswers } from "../http/secret-answers.ts";
import { creatorInfo } from "../runs/run-item.ts";

export interface KeyDeps {
  keys: Keys;
  identityKeys: Pick<IdentityKeys, "replace">;
  factories: Factories;
  cursors: Cursors;
  secretAnswers: SecretAnswers;
  log: Log;
}

export function keyEndpoints({ keys, identityKeys, factories, cursors, secretAnswers, log }: KeyDeps) {
  return {
    listApiKeys: {
      async handle(request) {
        unlimitedKeyOf(request);
        const { items, pageInfo } = pageOf(
          await keys.list(),
          (key) => `${key.createdAt} ${key.id}`,
          request,
          cursors,
        );
        const shown = items.map((key) => ({ ...keyView(key), from_settings: keys.isOfSettings(key.id) }));
        return { json: { api_keys: shown, page_info: pageInfo } };
      },
    },
    createApiKey: {
      handle: (request) =>
        secretAnswers.once(request, async () => {
          unlimitedKeyOf(request);
          const { name, kind = "personal", role = "viewer", factories: named, expires_at } = request.body;
          const uids = named?.map((factory) => uidOf(factory, factories)) ?? null;
          const expiry = expires_at ? { expiresAt: expiryOf(expires_at) } : {};
          const { key, value } = await keys.create({ name, kind, role, factories: uids, ...expiry });
          return { status: 201, json: { id: key.id, key: value } };
        }),
    },
    revokeApiKey: {
      async handle(request) {
        unlimitedKeyOf(request);
        const id = request.path.id;
        await keys.revoke(id);
        if (keys.isOfSettings(id)) log.warn({ key: id }, SETTINGS_KEY_REVOKED);
        return { status: 204 };
      },
    },
    createIdentityKey: {
      async handle(request) {
        unlimitedKeyOf(request);
        const id = await identityKeys.replace(request.body?.revoke ?? false);
        return { status: 201, json: { key_id: id } };
      },
    },
  } satisfies Endpoints;
}

const SETTINGS_KEY_REVOKED =
  "the key in MILLRACE_ADMIN_KEY was revoked and stays revoked after a restart: set MILLRACE_ADMIN_KEY to another value, or remove it";

function uidOf(name: string, factories: Factories): string {
  const found = factories.find(name);
  if (found) return found.record.uid;
  throw new MillraceError("resource_not_found", `There is no factory "${name}" on this server.`);
}

function expiryOf(text: string): string {
  const expiry = expiryAt(Date.parse(text), new Date());
  if (expiry !== undefined) return expiry;
  throw new MillraceError("invalid_request", `expires_at must be a time in the future; "${text}" is not.`, {
    extra: { field: "expires_at" },
  });
}

function keyView(key: ApiKey) {
  return {
    id: key.id,
    name: key.name,
    kind: key.kind,
    role: key.role,
    factories: key.factories,
    prefix: key.prefix,
    principal: creatorInfo(key.principal),
    created_at: key.createdAt,
    last_used_at: key.lastUsedAt,
    expires_at: key.expiresAt,
    revoked_at: key.revokedAt,
  };
}
