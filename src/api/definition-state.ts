import { isUtf8 } from "node:buffer";
import type { DefinitionFile } from "../reconcile/definition-files.ts";
import type { Drift } from "../reconcile/drift.ts";
import type { ApiRequest, Endpoints } from "./endpoint.ts";
import { type FactoryParts, findFactory } from "./factories.ts";
import { findWebhook, type WebhookParts, webhookView } from "./webhooks.ts";

/** What is stored of a definition: held against its revision, given out as files, and put right by hand. */
export function definitionStateEndpoints(parts: FactoryParts & WebhookParts): Endpoints {
  const { factories } = parts;
  const uidOf = (request: ApiRequest) => findFactory(request, factories).record.uid;
  return {
    getDrift: {
      role: "viewer",
      handle: async (request) => ({ json: driftView(await factories.drift(uidOf(request))) }),
    },
    exportFactory: {
      role: "viewer",
      async handle(request) {
        const { revision, files } = await factories.files(uidOf(request), request.query.revision);
        return { json: { revision, files: files.map(fileView) } };
      },
    },
    adoptWebhook: {
      role: "admin",
      async handle(request) {
        const { name, uid } = findWebhook(request, findFactory(request, factories));
        const factory = await factories.adopt(uidOf(request), uid, request.body.uid);
        const adopted = factory.served?.resources.find(
          (resource) => resource.kind === "webhook" && resource.name === name,
        );
        if (!adopted) throw new Error("a webhook that got its uid back is not there");
        return { json: await webhookView(adopted, factory, parts) };
      },
    },
  };
}

function driftView({ revision, changes, withoutCredential }: Drift) {
  return {
    revision,
    in_sync: changes.length === 0 && withoutCredential.length === 0,
    changes: changes.map(({ action, kind, name, fields }) => ({ action, kind, name, fields })),
    without_credential: withoutCredential,
  };
}

function fileView({ path, bytes }: DefinitionFile) {
  return isUtf8(bytes)
    ? { path, encoding: "utf-8", content: bytes.toString() }
    : { path, encoding: "base64", content: bytes.toString("base64") };
}
