import type { Problem } from "../problem.ts";
import { problemAt, type TreeRule, type WrittenTree } from "../tree.ts";
import { executions } from "./agent-rules.ts";

/** A secret that a webhook goes by is never an agent's, so a grant of it does nothing: that is said at both places. */
export const webhookSecretsAreNotGranted: TreeRule = (tree) => {
  const grants = grantsOf(tree);
  return tree.webhooks.flatMap((webhook): Problem[] => {
    const { secretName } = webhook.data;
    const granted = grants.filter(({ name }) => name === secretName);
    if (granted.length === 0) return [];
    const atWebhook = `"${secretName}" is also granted to agents (${granted[0]?.written.path}), but agents never receive the secret of a webhook`;
    const atGrant = `"${secretName}" is the secret of the webhook "${webhook.name}", which agents never receive: grant another secret`;
    return [
      problemAt(webhook, ["secretName"], "FF_SECRET_WITHHELD", atWebhook, "warning"),
      ...granted.map(({ written, at }) => problemAt(written, at, "FF_SECRET_WITHHELD", atGrant, "warning")),
    ];
  });
};

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
