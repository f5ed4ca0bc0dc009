import { unansweredKeys } from "../compile-github.ts";
import { isGithubWebhook } from "../listening.ts";
import type { Problem } from "../problem.ts";
import { type FileRule, problemAt, type TreeRule } from "../tree.ts";
import type { WrittenAutomation } from "../written.ts";

/** A filter that asks for what GitHub does not say starts nothing, which its author should know before. */
export const githubFiltersAskForWhatGithubSays: FileRule<WrittenAutomation> = (automation) =>
  automation.data.triggers.flatMap(({ provider, event, filter }, index): Problem[] =>
    provider !== "github"
      ? []
      : unansweredKeys(event, filter ?? {}).map((key) => {
          const message = `${key}: GitHub's deliveries of ${event} do not say, so this trigger starts nothing; leave it out`;
          return problemAt(
            automation,
            ["triggers", index, "filter", key],
            "FF_INVALID_FILTER",
            message,
            "notice",
          );
        }),
  );

/** Events of GitHub come in by a webhook of the factory, and by nothing else. */
export const githubTriggersHaveAWebhook: TreeRule = (tree) => {
  const isFed = tree.webhooks.some(({ data }) => isGithubWebhook(data) && data.enabled !== false);
  const triggers = tree.automations.flatMap((automation) =>
    automation.data.triggers.flatMap(({ provider }, index) =>
      provider === "github" ? [{ automation, index }] : [],
    ),
  );
  const [first] = triggers;
  if (isFed || !first) return [];
  const count = triggers.length > 1 ? ` (${triggers.length} places)` : "";
  const message = `a trigger of the provider github: starts nothing without an enabled webhook of the scheme github in webhooks/${count}`;
  return [
    problemAt(first.automation, ["triggers", first.index, "provider"], "FF_INVALID_VALUE", message, "notice"),
  ];
};
