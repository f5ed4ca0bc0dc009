import type { DataPath } from "../loading/parse.ts";
import type { Problem } from "../problem.ts";
import { problemAt, type TreeRule, type WrittenFile, type WrittenTree } from "../tree.ts";
import { executions } from "./agent-rules.ts";

/** A secret that a webhook goes by is never an agent's, so a grant of it does nothing: that is said at both places. */
export const webhookSecretsAreNotGranted: TreeRule = (tree) => {
  const grants = grantsOf(tree);
  const ofOutbound = tree.outbound.flatMap((outbound) =>
    withheld(
      outbound,
      "outbound webhook",
      { secretName: outbound.data.secretName, at: ["secretName"] },
      grants,
    ),
  );
  const ofWebhooks = tree.webhooks.flatMap((webhook): Problem[] => {
    const { secretName, millrace: { previousSecretName } = {} } = webhook.data;
    const names = [
      { secretName, at: ["secretName"] },
      ...(previousSecretName === undefined
        ? []
        : [{ secretName: previousSecretName, at: ["millrace", "previousSecretName"] }]),
    ];
    return names.flatMap((named) => withheld(webhook, "webhook", named, grants));
  });
  return [...ofWebhooks, ...ofOutbound];
};

type Grant = ReturnType<typeof grantsOf>[number];

function withheld(
  webhook: WrittenFile<unknown>,
  noun: "webhook" | "outbound webhook",
  { secretName, at }: { secretName: string; at: DataPath },
  grants: readonly Grant[],
): Problem[] {
  const granted = grants.filter(({ name }) => name === secretName);
  if (granted.length === 0) return [];
  const atWebhook = `"${secretName}" is also granted to agents (${granted[0]?.written.path}), but agents never receive the secret of ${noun === "webhook" ? "a" : "an"} ${noun}`;
  const atGrant = `"${secretName}" is the secret of the ${noun} "${webhook.name}", which agents never receive: grant another secret`;
  return [
    problemAt(webhook, at, "FF_SECRET_WITHHELD", atWebhook, "warning"),
    ...granted.map((grant) => problemAt(grant.written, grant.at, "FF_SECRET_WITHHELD", atGrant, "warning")),
  ];
}

function grantsOf(tree: WrittenTree) {
  const { factory } = tree;
  const lists = [
    ...(factory ? [{ written: factory, at: ["secrets"], names: factory.data.secrets }] : []),
    ...executions(tree).map(({ written, at, execution }) => {
      return { written, at: [...at, "secrets"], names: execution.secrets };
    }),
  ];
  return lists.flatMap(({ written, at, names }) =>
    (names ?? []).map((name, index) => ({ written, at: [...at, index], name })),
  );
}
