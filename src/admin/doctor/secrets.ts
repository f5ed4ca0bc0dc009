import type { Config } from "../../config/config.ts";
import { serverSecretsOf } from "../../config/server-secrets.ts";
import type { Webhook } from "../../definitions/definition.ts";
import { credentialContext } from "../../reconcile/active-definition.ts";
import type { FactoryRecord } from "../../reconcile/factory.ts";
import { openSealer } from "../../secrets/master-key.ts";
import type { Sealer } from "../../secrets/seal.ts";
import { createVault, type Vault } from "../../secrets/vault.ts";
import { webhookSecret } from "../../secrets/webhook-secret.ts";
import type { Store } from "../../store/store.ts";
import { type DoctorFinding, ok, warning } from "./finding.ts";

/** Whether webhooks go by the values that their secrets have, and whether every secret is for someone. */
export async function examineSecrets(
  config: Config,
  records: readonly FactoryRecord[],
  { secrets, factories }: Pick<Store, "secrets" | "factories">,
  now: Date,
): Promise<DoctorFinding[]> {
  if (!(await secrets.findWhetherAnythingIsSealed())) return [];
  const sealer = await openSealer(config, { ...secrets, saveSealing: async () => {} });
  const ofServer = serverSecretsOf(config);
  // What is kept outside is in the environment of the server, which is not that of this program.
  const vault = createVault({ store: secrets, sealer, outside: {}, ofServer, env: {}, now: () => now });
  const findings = (await vault.list())
    .filter(({ name, shared, factories }) => !shared && factories.length === 0 && !ofServer.has(name))
    .map(({ name }) => forNobody(name));
  for (const record of records) findings.push(...(await olderValues(record, factories, sealer, vault)));
  return findings.length > 0
    ? findings
    : [ok("secrets", "all webhooks use the current values of their secrets")];
}

async function olderValues(
  { uid, name: factory, mode }: FactoryRecord,
  store: Store["factories"],
  sealer: Sealer,
  vault: Vault,
): Promise<DoctorFinding[]> {
  const credentials = new Map(
    (await store.listCredentials(uid)).map((credential) => [credential.webhookUid, credential]),
  );
  const findings: DoctorFinding[] = [];
  for (const { uid: webhookUid, kind, name, body, deleted } of await store.listResources(uid)) {
    const credential = credentials.get(webhookUid);
    if (kind !== "webhook" || deleted || !credential) continue;
    const { secretName } = JSON.parse(body) as Webhook;
    const value = (await vault.open([secretName], { webhooksOf: uid })).get(secretName);
    const taken = sealer.open(credential.sealed, credentialContext(webhookUid));
    if (value === undefined || webhookSecret(value) === taken) continue;
    findings.push(olderValue(`webhook ${name} of ${factory}`, secretName, factory, mode));
  }
  return findings;
}

function olderValue(
  check: string,
  secret: string,
  factory: string,
  mode: FactoryRecord["mode"],
): DoctorFinding {
  const how = {
    repository: "Push a commit to its branch; an empty commit is enough.",
    folder: `millrace sync ${factory}`,
    managed: `Run millrace webhooks rotate-secret, or change the definition of ${factory}.`,
  };
  return warning(
    check,
    `Secret ${secret} has a newer value that is not active yet: senders must still use the previous value.`,
    how[mode],
  );
}

function forNobody(name: string): DoctorFinding {
  return warning(
    `secret ${name}`,
    "No factory may use it.",
    `\`millrace secrets set ${name} --keep-value --factory NAME\` (or --shared), or \`millrace secrets delete ${name}\`.`,
  );
}
