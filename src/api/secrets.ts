import { MillraceError } from "../error.ts";
import { secretNamesOf } from "../reconcile/check-server.ts";
import type { Factories } from "../reconcile/factories.ts";
import type { Vault } from "../secrets/vault.ts";
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
        const secret = await vault.set(request.path.name ?? "", request.body.value);
        factories.secretChanged();
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
        return { status: 204 };
      },
    },
  };
}

/** A definition whose secret is gone could not be applied again, so it has to let go first. */
function refuseUsed(name: string, factories: Factories): void {
  const users = factories
    .list()
    .filter(({ served }) => served && secretNamesOf(served.definition).includes(name));
  if (users.length === 0) return;
  const names = users.map(({ record }) => `"${record.name}"`).join(", ");
  throw new MillraceError("conflict", `The secret ${name} is used by the definition of ${names}.`, {
    remedy: "Take it out of the definition first.",
    retryable: false,
  });
}
