import { impossibleValues, unansweredKeys } from "../events/compile-event.ts";
import { describedProvider, EVENT_PROVIDERS, findEvent, isEventProvider } from "../events/event-provider.ts";
import { writtenProviderOf } from "../listening.ts";
import type { DataPath } from "../loading/parse.ts";
import type { Problem } from "../problem.ts";
import { type FileRule, problemAt, type TreeRule, type WrittenFile } from "../tree.ts";
import type { WrittenAutomation } from "../written.ts";

/** A filter that asks for what its provider does not say starts nothing, which its author should know before. */
export const filtersAskForWhatProvidersSay: FileRule<WrittenAutomation> = (automation) =>
  automation.data.triggers.flatMap(({ provider, event, filter }, index): Problem[] => {
    const title = describedProvider(provider)?.title ?? provider;
    const warn = (path: DataPath, message: string) =>
      problemAt(
        automation,
        ["triggers", index, "filter", ...path],
        "FF_FILTER_NEVER_MATCHES",
        message,
        "warning",
      );
    const keys = unansweredKeys(provider, event, filter ?? {}).map((key) =>
      warn(
        [key],
        `${key}: ${title}'s deliveries of ${event} do not contain it, so this trigger never fires; remove it`,
      ),
    );
    const values = impossibleValues(provider, event, filter ?? {}).map(({ key, value, has, excluded }) => {
      const effect = excluded ? "excludes nothing" : "never matches";
      return warn([key], `${key}: ${JSON.stringify(value)} ${effect}, because ${title} sends ${has}`);
    });
    const payload = provider === "webhook" ? filter?.payload : undefined;
    const dotted = dottedKeys(payload).map((path) => {
      const nested = path.at(-1)?.split(".").join(": { ") ?? "";
      const message = `payload field "${path.at(-1)}" is a single key that contains a dot; did you mean nested keys, ${nested}: …${" }".repeat(nested.split("{").length - 1)}?`;
      return warn(["payload", ...path], message);
    });
    return [...keys, ...values, ...dotted];
  });

/** Keys of a payload filter that read like the path of a field. A filter mirrors the payload, so each is one key of it. */
function dottedKeys(pattern: unknown, above: readonly string[] = []): string[][] {
  // What is nested more deeply is refused.
  if (typeof pattern !== "object" || pattern === null || Array.isArray(pattern) || above.length > 20)
    return [];
  return Object.entries(pattern).flatMap(([key, inner]) => {
    const path = [...above, key];
    return [...(/^[\w$-]+(?:\.[\w$-]+)+$/.test(key) ? [path] : []), ...dottedKeys(inner, path)];
  });
}

interface Unfed {
  automation: WrittenFile<WrittenAutomation>;
  at: DataPath;
  count: number;
}

/** Events of a provider come in by a webhook of the factory, and by nothing else. One warning for each kind of trigger. */
export const triggersAreFed: TreeRule = (tree) => {
  const fed = new Set<string | undefined>(
    tree.webhooks.filter(({ data }) => data.enabled !== false).map(({ data }) => writtenProviderOf(data)),
  );
  const unfed = new Map<string, Unfed>();
  for (const automation of tree.automations) {
    for (const [index, { provider, event }] of automation.data.triggers.entries()) {
      const why = whyUnfed(provider, event, fed);
      if (why === undefined) continue;
      const known = unfed.get(why) ?? { automation, at: ["triggers", index, "provider"], count: 0 };
      unfed.set(why, { ...known, count: known.count + 1 });
    }
  }
  return [...unfed].map(([why, { automation, at, count }]) => {
    const places = count > 1 ? ` (${count} places)` : "";
    return problemAt(automation, at, "FF_TRIGGER_NOT_FED", `${why}${places}`, "warning");
  });
};

/** Why a trigger does not fire, in words; nothing for one that may. */
function whyUnfed(provider: string, event: string, fed: ReadonlySet<string | undefined>): string | undefined {
  if (provider === "webhook" || provider === "schedule" || provider === "factory") return undefined;
  if (!isEventProvider(provider)) {
    return `a trigger of the provider ${provider}: never fires, because this server cannot receive its events`;
  }
  if (!findEvent(provider, event)) {
    return `a trigger of ${provider}.${event}: never fires, because webhooks of ${EVENT_PROVIDERS[provider].title} do not send this event`;
  }
  if (fed.has(provider)) return undefined;
  const kind =
    provider === "jira"
      ? "with signatureScheme: custom and millrace: { provider: jira }"
      : `with the scheme ${provider}`;
  return `a trigger of the provider ${provider}: never fires without an enabled webhook ${kind} in webhooks/`;
}
