import type { Models } from "../../client/typed-paths.ts";
import type { StoredResource } from "../../definitions/changes/plan.ts";
import { secretNamesOf } from "../../definitions/rules/check-server.ts";
import type { WrittenScheme } from "../../definitions/schemes/scheme.ts";
import { MillraceError } from "../../errors/error.ts";
import { resourceTag } from "../../reconcile/managed-edits/change-file.ts";
import {
  changeWebhook,
  createWebhook,
  deleteWebhook,
  findActiveWebhook,
  type NewWebhook,
  type Rotation,
  rotateSecret,
  suggestSecretName,
} from "../../reconcile/managed-edits/webhook-edits.ts";
import type { Factory } from "../../reconcile/running-factory.ts";
import { retakeSharedSecret } from "../../reconcile/shared-secrets.ts";
import type { Vault } from "../../secrets/vault.ts";
import { requireOwnSecret } from "../admin/secrets.ts";
import { type FactoryRequest, findFactory } from "../factories/factories.ts";
import { type Elsewhere, preconditionOf, requireManaged } from "../factories/managed-factory.ts";
import { type ApiRequest, type BodyOf, type Endpoints, keyOf } from "../http/endpoint.ts";
import type { SecretAnswers } from "../http/secret-answers.ts";
import { endOfOverlap, findWebhook, type WebhookDeps, webhookView } from "./webhooks.ts";

export interface WebhookEditDeps extends WebhookDeps {
  vault: Vault;
  secretAnswers: SecretAnswers;
}

/** A request that names a webhook of a factory. */
interface WebhookRequest extends FactoryRequest {
  path: { factory: string; uid: string };
}

/** Webhooks of definitions that millrace keeps: made, changed, rotated and deleted, each by one commit. */
export function webhookEditEndpoints(deps: WebhookEditDeps) {
  const { factories, vault, secretAnswers } = deps;
  const mentionedSecrets = () =>
    factories.list().flatMap(({ active }) => (active ? secretNamesOf(active.definition) : []));
  return {
    suggestSecretName: {
      async handle(request) {
        findFactory(request, factories);
        const taken = [...(await vault.list()).map(({ name }) => name), ...mentionedSecrets()];
        return { json: { secret_name: suggestSecretName(request.query.webhook, new Set(taken)) } };
      },
    },
    createWebhook: {
      handle: (request) =>
        secretAnswers.once(request, async () => {
          const factory = findFactory(request, factories);
          const { name } = request.body;
          requireManaged(factory, { verb: "Add", path: `webhooks/${name}.yaml` });
          let generated: string | undefined;
          await factory.edit({
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
          const json = await shownOnce(made, factory, generated, deps);
          return { status: 201, json, etag: resourceTag(made) };
        }),
    },
    updateWebhook: {
      async handle(request) {
        const { factory, uid, name } = editable(request, "Change");
        refuseRename(request.body.name, name);
        const { enabled, delivery_id_header: deliveryIdHeader } = request.body;
        const change = {
          ...(enabled === undefined ? {} : { enabled }),
          ...(deliveryIdHeader === undefined ? {} : { deliveryIdHeader }),
        };
        const check = preconditionOf(request);
        await factory.edit({
          principal: keyOf(request).principal,
          change: (current) => changeWebhook(uid, change, check, current),
        });
        const changed = liveWebhook(factory, (webhook) => webhook.uid === uid);
        return { json: await webhookView(changed, factory, deps), etag: resourceTag(changed) };
      },
    },
    deleteWebhook: {
      async handle(request) {
        const { factory, uid } = editable(request, "Delete");
        const check = preconditionOf(request);
        await factory.edit({
          principal: keyOf(request).principal,
          change: (current) => deleteWebhook(uid, check, current),
        });
        return { status: 204 };
      },
    },
    rotateWebhookSecret: {
      handle: (request) =>
        secretAnswers.once(request, async () => {
          const { factory, uid } = editable(request, "Change", await rotatedSecret(request));
          const overlapUntil = endOfOverlap(request.body?.overlap, deps.now());
          let rotation: Rotation | undefined;
          await factory.edit({
            principal: keyOf(request).principal,
            async change(current) {
              // Only now: an edit that this one has waited for may have named another secret.
              const { secretName: name } = findActiveWebhook(uid, current).webhook;
              requireOwnSecret({ name, found: await vault.scopeOf(name), key: keyOf(request) }, vault);
              const managed = factories.list().filter(({ record }) => record.mode === "managed");
              rotation = rotateSecret(uid, { given: request.body?.secret, overlapUntil }, current, managed);
              return rotation.edits;
            },
          });
          const rotated = liveWebhook(factory, (webhook) => webhook.uid === uid);
          const json = await shownOnce(rotated, factory, rotation?.generated, deps);
          const { taken, left } = await retakeSharedSecret(
            { name: json.secret_name, overlapUntil },
            factory.record.uid,
            factories,
          );
          const elsewhere = taken.map((other) => `${other.factory}/${other.webhook}`);
          return {
            json: {
              ...json,
              also_rotated: [...(rotation?.alsoRotated ?? []), ...elsewhere],
              not_rotated: left,
            },
            etag: resourceTag(rotated),
          };
        }),
    },
    endSecretOverlap: {
      async handle(request) {
        const factory = findFactory(request, factories);
        const { uid } = findWebhook(request, factory);
        await factory.endOverlap(uid);
        const ended = liveWebhook(factory, (webhook) => webhook.uid === uid);
        return { json: await webhookView(ended, factory, deps), etag: resourceTag(ended) };
      },
    },
  } satisfies Endpoints;

  async function rotatedSecret(request: ApiRequest<"rotateWebhookSecret">) {
    const { body } = findWebhook(request, findFactory(request, factories));
    const { secretName: name } = JSON.parse(body) as { secretName: string };
    return {
      name,
      isThere: (await vault.scopeOf(name)) !== undefined,
      overlaps: request.body?.overlap !== undefined,
    };
  }

  /** The webhook that the path names, which is there and can be changed here. @throws MillraceError */
  function editable(request: WebhookRequest, verb: Elsewhere["verb"], secret?: Elsewhere["secret"]) {
    const factory = findFactory(request, factories);
    const { uid, name, path, deleted } = findWebhook(request, factory);
    if (deleted) {
      throw new MillraceError("resource_not_found", `The webhook "${name}" was deleted.`, {
        remedy: "Create a webhook with the same name; it gets the same URL.",
      });
    }
    requireManaged(factory, { verb, path, ...(secret === undefined ? {} : { secret }) });
    return { factory, uid, name };
  }
}

function asked(body: BodyOf<"createWebhook">): NewWebhook {
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
    // Its schema is that of webhook files: it allows one place for the time and for the id, which no type made of it says.
    ...(custom_scheme === undefined ? {} : { millrace: { scheme: custom_scheme as WrittenScheme } }),
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
    `The webhook "${name}" cannot be renamed: its name is the name of its file, and its URL depends on it.`,
    {
      remedy: `Create "${wanted.slice(0, 200)}", give its URL to the senders, then delete "${name}".`,
      extra: { field: "name" },
    },
  );
}

/** A webhook of the definition that has just come into force. @throws MillraceError when the next change has taken it away */
function liveWebhook(
  { record, active }: Factory,
  isIt: (webhook: StoredResource) => boolean,
): StoredResource {
  const live = active?.resources.filter(({ kind, deleted }) => kind === "webhook" && !deleted) ?? [];
  const found = live.find(isIt);
  if (found) return found;
  throw new MillraceError(
    "resource_not_found",
    `The webhook of "${record.name}" was deleted while the request was processed.`,
  );
}

/** A webhook with the secret that was made for it, which nobody can read again. */
async function shownOnce(
  webhook: StoredResource,
  factory: Factory,
  generated: string | undefined,
  deps: WebhookDeps,
): Promise<Models["CreatedWebhook"]> {
  const view = await webhookView(webhook, factory, deps);
  if (generated === undefined) return view;
  return { ...view, url: view.url.replace(/\{token\}$/, () => generated), secret: generated };
}
