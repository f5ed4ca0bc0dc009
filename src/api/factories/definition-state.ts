import { isUtf8 } from "node:buffer";
import type { Models } from "../../client/typed-paths.ts";
import type { DefinitionFile, Drift } from "../../reconcile/past-tree.ts";
import type { Pauses } from "../../runs/pauses.ts";
import type { Endpoints } from "../http/endpoint.ts";
import { findWebhook, type WebhookDeps, webhookView } from "../webhooks/webhooks.ts";
import { type FactoryDeps, findFactory } from "./factories.ts";

/** What is stored of a definition: held against its revision, given out as files, and put right by hand. */
export function definitionStateEndpoints(deps: FactoryDeps & WebhookDeps & { pauses: Pauses }) {
  const { factories, pauses } = deps;
  return {
    getDrift: {
      handle: async (request) => ({ json: driftView(await findFactory(request, factories).drift()) }),
    },
    exportFactory: {
      async handle(request) {
        const { revision, files } = await findFactory(request, factories).files(request.query.revision);
        return { json: { revision, files: files.map(fileView) } };
      },
    },
    adoptWebhook: {
      async handle(request) {
        const factory = findFactory(request, factories);
        const { name, uid } = findWebhook(request, factory);
        await factory.adopt(uid, request.body.uid);
        // A pause of the webhook has its new uid too.
        await pauses.refresh();
        const adopted = factory.active?.resources.find(
          (resource) => resource.kind === "webhook" && resource.name === name,
        );
        if (!adopted) throw new Error("a webhook whose uid was restored is missing");
        return { json: await webhookView(adopted, factory, deps) };
      },
    },
  } satisfies Endpoints;
}

function driftView({ revision, changes, withoutCredential }: Drift) {
  return {
    revision,
    in_sync: changes.length === 0 && withoutCredential.length === 0,
    changes: changes.map(({ action, kind, name, fields }) => ({ action, kind, name, fields })),
    without_credential: withoutCredential,
  };
}

function fileView({ path, bytes }: DefinitionFile): Models["ExportedFile"] {
  return isUtf8(bytes)
    ? { path, encoding: "utf-8", content: bytes.toString() }
    : { path, encoding: "base64", content: bytes.toString("base64") };
}
