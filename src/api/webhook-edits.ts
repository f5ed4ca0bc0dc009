import type { StoredResource } from "../definitions/plan.ts";
import { MillraceError } from "../error.ts";
import { secretNamesOf } from "../reconcile/check-server.ts";
import { changeWebhook, deleteWebhook, findServed } from "../reconcile/edits/change-webhook.ts";
import { createWebhook, type NewWebhook } from "../reconcile/edits/create-webhook.ts";
import { type Rotation, rotateSecret } from "../reconcile/edits/rotate-secret.ts";
import { resourceTag } from "../reconcile/edits/tag.ts";
import type { Factory } from "../reconcile/factories.ts";
import { suggestSecretName } from "../secrets/generate.ts";
import type { Vault } from "../secrets/vault.ts";
import { type ApiRequest, type Endpoints, keyOf } from "./endpoint.ts";
import { findFactory } from "./factories.ts";
import { type Elsewhere, preconditionOf, requireKeptHere } from "./kept-here.ts";
import { requireOwnSecret } from "./secret-scopes.ts";
import { findWebhook, type WebhookParts, webhookView } from "./webhooks.ts";

export interface WebhookEditParts extends WebhookParts {
  vault: Vault;
}

/** Webhooks of definitions that millrace keeps: made, changed, rotated and deleted, each by one commit. */
export function webhookEditEndpoints(parts: WebhookEditParts): Endpoints {
  const { factories, vault } = parts;
  const mentionedSecrets = () =>
    factories.list().flatMap(({ served }) => (served ? secretNamesOf(served.definition) : []));
  return {
    suggestSecretName: {
      role: "admin",
      async handle(request) {
        findFactory(request, factories);
        const taken = [...(await vault.list()).map(({ name }) => name), ...mentionedSecrets()];
        return { json: { secret_name: suggestSecretName(request.query.webhook, new Set(taken)) } };
      },
    },
    createWebhook: {
      role: "admin",
      async handle(request) {
        const factory = findFactory(request, factories);
        const { name } = request.body;
        requireKeptHere(factory, { verb: "Add", path: `webhooks/${name}.yaml` });
        let generated: string | undefined;
        await factories.edit(factory.record.uid, {
          principal: keyOf(request).principal,
          async change(current) {
            const created = await createWebhook(asked(request.body), current, { vault, mentionedSecrets });
            for (const secret of created.edits.secrets ?? []) {
              const found = await vault.scopeOf(secret.name);
              requireOwnSecret({ name: secret.name, found, key: keyOf(request) }, vault);
            }
            generated = created.generated;
            return created.edits;
          },
        });
        const made = liveWebhook(factory, (webhook) => webhook.name === name);
        const json = await shownOnce(made, factory, generated, parts);
        return { status: 201, json, etag: resourceTag(made) };
      },
    },
    updateWebhook: {
      role: "admin",
      async handle(request) {
        const { factory, uid, name } = editable(request, "Change");
        refuseRename(request.body.name, name);
        const { enabled, delivery_id_header: deliveryIdHeader } = request.body;
        const change = {
          ...(enabled === undefined ? {} : { enabled }),
          ...(deliveryIdHeader === undefined ? {} : { deliveryIdHeader }),
        };
        const check = preconditionOf(request);
        await factories.edit(factory.record.uid, {
          principal: keyOf(request).principal,
          change: (current) => changeWebhook(uid, change, check, current),
        });
        const changed = liveWebhook(factory, (webhook) => webhook.uid === uid);
        return { json: await webhookView(changed, factory, parts), etag: resourceTag(changed) };
      },
    },
    deleteWebhook: {
      role: "admin",
      async handle(request) {
        const { factory, uid } = editable(request, "Delete");
        const check = preconditionOf(request);
        await factories.edit(factory.record.uid, {
          principal: keyOf(request).principal,
          change: (current) => deleteWebhook(uid, check, current),
        });
        return { status: 204 };
      },
    },
    rotateWebhookSecret: {
      role: "admin",
      async handle(request) {
        const { factory, uid } = editable(request, "Change", { rotates: true });
        let rotation: Rotation | undefined;
        await factories.edit(factory.record.uid, {
          principal: keyOf(request).principal,
          async change(current) {
            // Only now: an edit that this one has waited for may have named another secret.
            const { secretName: name } = findServed(uid, current).webhook;
            requireOwnSecret({ name, found: await vault.scopeOf(name), key: keyOf(request) }, vault);
            const kept = factories.list().filter(({ record }) => record.mode === "managed");
            rotation = rotateSecret(uid, request.body?.secret, current, kept);
            return rotation.edits;
          },
        });
        const rotated = liveWebhook(factory, (webhook) => webhook.uid === uid);
        const json = await shownOnce(rotated, factory, rotation?.generated, parts);
        const { taken, left } = await factories.retakeSecret(json.secret_name, factory.record.uid);
        const elsewhere = taken.map((other) => `${other.factory}/${other.webhook}`);
        return {
          json: {
            ...json,
            also_rotated: [...(rotation?.alsoRotated ?? []), ...elsewhere],
            not_rotated: left,
          },
          etag: resourceTag(rotated),
        };
      },
    },
  };

  /** The webhook that the path names, which is there and can be changed here. @throws MillraceError */
  function editable(request: ApiRequest, verb: Elsewhere["verb"], { rotates = false } = {}) {
    const factory = findFactory(request, factories);
    const { uid, name, path, body, deleted } = findWebhook(request, factory);
    if (deleted) {
      throw new MillraceError("resource_not_found", `The webhook "${name}" has been deleted.`, {
        remedy: "A new webhook of that name gets its old URL.",
      });
    }
    const { secretName } = JSON.parse(body) as { secretName: string };
    requireKeptHere(factory, { verb, path, ...(rotates ? { secret: secretName } : {}) });
    return { factory, uid, name };
  }
}

function asked(body: ApiRequest["body"]): NewWebhook {
  const {
    name,
    auth_mode,
    signature_scheme,
    custom_scheme,
    secret,
    secret_name,
    delivery_id_header,
    enabled,
  } = body;
  return {
    name,
    ...(auth_mode === undefined ? {} : { authMode: auth_mode }),
    ...(signature_scheme == null ? {} : { signatureScheme: signature_scheme }),
    ...(custom_scheme === undefined ? {} : { millrace: { scheme: custom_scheme } }),
    ...(secret === undefined ? {} : { secret }),
    ...(secret_name === undefined ? {} : { secretName: secret_name }),
    ...(delivery_id_header == null ? {} : { deliveryIdHeader: delivery_id_header }),
    ...(enabled === undefined ? {} : { enabled }),
  };
}

/** @throws MillraceError `operation_not_supported` */
function refuseRename(wanted: string | undefined, name: string): void {
  if (wanted === undefined || wanted === name) return;
  throw new MillraceError(
    "operation_not_supported",
    `The webhook "${name}" keeps its name: it is that of its file, and its URL belongs to it.`,
    {
      remedy: `Create "${wanted.slice(0, 200)}", give its URL to the senders, and then delete "${name}".`,
      extra: { field: "name" },
    },
  );
}

/** A webhook of the definition that has just come into force. @throws MillraceError when the next change has taken it away */
function liveWebhook(
  { record, served }: Factory,
  isIt: (webhook: StoredResource) => boolean,
): StoredResource {
  const live = served?.resources.filter(({ kind, deleted }) => kind === "webhook" && !deleted) ?? [];
  const found = live.find(isIt);
  if (found) return found;
  throw new MillraceError(
    "resource_not_found",
    `The webhook of "${record.name}" has been deleted meanwhile.`,
  );
}

/** A webhook with the secret that was made for it, which nobody can read again. */
async function shownOnce(
  webhook: StoredResource,
  factory: Factory,
  generated: string | undefined,
  parts: WebhookParts,
) {
  const view = await webhookView(webhook, factory, parts);
  if (generated === undefined) return view;
  return { ...view, url: view.url.replace(/\{token\}$/, () => generated), secret: generated };
}
