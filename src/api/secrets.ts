import { MillraceError } from "../error.ts";
import { secretNamesOf } from "../reconcile/check-server.ts";
import type { Factories, Factory } from "../reconcile/factories.ts";
import type { Vault } from "../secrets/vault.ts";
import { checkWebhookSecret } from "../secrets/webhook-secret.ts";
import type { Cursors } from "./cursor.ts";
import { type Endpoints, unlimitedKeyOf } from "./endpoint.ts";
import { pageOf } from "./page.ts";

export interface SecretParts {
  vault: Vault;
  factories: Factories;
  cursors: Cursors;
}

export function secretEndpoints({ vault, factories, cursors }: SecretParts): Endpoints {
  return {
    listSecrets: {
      role: "viewer",
      async handle(request) {
        unlimitedKeyOf(request);
        const { items, pageInfo } = pageOf(await vault.list(), ({ name }) => name, request, cursors);
        return { json: { secrets: items, page_info: pageInfo } };
      },
    },
    setSecret: {
      role: "admin",
      async handle(request) {
        unlimitedKeyOf(request);
        const { name = "" } = request.path;
        const { value } = request.body;
        const isOfWebhook = webhookSecretNames(factories).has(name);
        const secret = await vault.set(name, isOfWebhook ? checkWebhookSecret("value", value) : value);
        factories.secretChanged(secret.name);
        return { json: secret };
      },
    },
    deleteSecret: {
      role: "admin",
      async handle(request) {
        unlimitedKeyOf(request);
        const { name = "" } = request.path;
        refuseUsed(name, factories);
        await vault.remove(name);
        factories.secretChanged(name);
        return { status: 204 };
      },
    },
  };
}

/** The names of the secrets that webhooks of the definitions in force go by. */
function webhookSecretNames(factories: Factories): Set<string> {
  const webhooks = factories.list().flatMap(({ served }) => served?.definition.webhooks ?? []);
  return new Set(webhooks.map(({ secretName }) => secretName));
}

/** A definition whose secret is gone could not be applied again, nor a source opened, so they have to let go first. */
function refuseUsed(name: string, factories: Factories): void {
  const all = factories.list();
  const defined = all.filter(({ served }) => served && secretNamesOf(served.definition).includes(name));
  const opened = all.filter(({ sourceSecrets }) => sourceSecrets.includes(name));
  if (defined.length > 0) throw used(`the definition of ${namesOf(defined)}`, "the definition");
  if (opened.length > 0) throw used(`the source of ${namesOf(opened)}`, "credentials: in millrace.yaml");

  function used(by: string, where: string): MillraceError {
    return new MillraceError("conflict", `The secret ${name} is used by ${by}.`, {
      remedy: `Take it out of ${where} first.`,
      retryable: false,
    });
  }
}

function namesOf(factories: readonly Factory[]): string {
  return factories.map(({ record }) => `"${record.name}"`).join(", ");
}
