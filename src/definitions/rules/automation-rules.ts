import { errorMessage } from "../../errors/error.ts";
import { EXPECTED_TIME_ZONE, isTimeZone } from "../../time/instant.ts";
import { titleProblem } from "../automation-title.ts";
import { parseCron } from "../cron.ts";
import { ANSWER_FILTER } from "../events/factory-events.ts";
import { checkPattern, INEXACT, isInexact, roundedTo } from "../filters/filter.ts";
import type { Problem } from "../problem.ts";
import { inclusion } from "../resolve.ts";
import { type FileRule, namesOf, problemAt, type TreeRule, type WrittenFile } from "../tree.ts";
import type { WrittenAutomation, WrittenMatcher, WrittenTrigger } from "../written.ts";

type AutomationRule = FileRule<WrittenAutomation>;

/** The prompt of an agent says who it is; without the one of the automation, its runs would have nothing to do. */
export const promptIsThere: AutomationRule = (automation) => {
  if (automation.file.body.trim() !== "") return [];
  const message = 'the prompt is empty: write what the agent has to do below the second "---"';
  return [problemAt(automation, [], "FF_MISSING_REQUIRED", message)];
};

/** The key of a trigger's filter that is a payload filter. */
const PATTERN_KEYS: Readonly<Record<string, string>> = { webhook: "payload", factory: ANSWER_FILTER };

export const payloadFiltersAreValid: AutomationRule = (automation) =>
  eachTrigger(automation, (trigger, index) => {
    const key = PATTERN_KEYS[trigger.provider];
    const pattern = key === undefined ? undefined : trigger.filter?.[key];
    if (key === undefined || pattern == null) return [];
    const from = ["triggers", index, "filter", key];
    const noun = key === ANSWER_FILTER ? "answer" : "payload";
    return checkPattern(pattern, (at) => automation.file.isRounded([...from, ...at])).map(
      ({ at, message }) => {
        const field = at.length > 0 ? `${noun} field "${at.join(".")}": ` : `${noun} filter: `;
        return problemAt(automation, [...from, ...at], "FF_INVALID_FILTER", field + message);
      },
    );
  });

export const filtersDoNotContradictThemselves: AutomationRule = (automation) =>
  eachTrigger(automation, (trigger, index) =>
    Object.entries(trigger.filter ?? {}).flatMap(([key, value]) => {
      const matcher = value as WrittenMatcher;
      if (key === "payload" || key === ANSWER_FILTER || matcher === null) return [];
      const { included, not_in } = Array.isArray(matcher)
        ? { included: matcher, not_in: [] }
        : { included: matcher?.in, not_in: matcher?.not_in };
      const inexact = [...(included ?? []), ...(not_in ?? [])].some(isInexact);
      if (inexact) {
        const at = ["triggers", index, "filter", key];
        return [problemAt(automation, at, "FF_INVALID_FILTER", `${key}: ${INEXACT}`)];
      }
      const lists = Array.isArray(matcher)
        ? [{ at: [], values: included }]
        : [
            { at: ["in"], values: included },
            { at: ["not_in"], values: not_in },
          ];
      const rounded = lists.flatMap(({ at, values }) =>
        (values ?? []).flatMap((value, place) => {
          const path = ["triggers", index, "filter", key, ...at, place];
          if (!automation.file.isRounded(path)) return [];
          return [problemAt(automation, path, "FF_INVALID_FILTER", `${key}: ${roundedTo(value)}`)];
        }),
      );
      if (rounded.length > 0) return rounded;
      const excluded = new Set<unknown>(not_in);
      const both = included?.find((wanted) => excluded.has(wanted));
      if (both === undefined) return [];
      const message = `${key}: ${JSON.stringify(both)} is both in and not_in, so nothing can match`;
      return [
        problemAt(automation, ["triggers", index, "filter", key, "not_in"], "FF_INVALID_FILTER", message),
      ];
    }),
  );

/** What is due at all is due after this: dates come again with the same weekday within 28 years. */
const SOME_DAY = new Date(Date.UTC(2024, 0, 1));

export const schedulesAreValid: AutomationRule = (automation) => {
  const names = new Set<string | undefined>();
  return eachTrigger(automation, (trigger, index) => {
    if (trigger.provider !== "schedule") return [];
    const ids = trigger.filter?.schedule_ids !== undefined;
    if (ids === (trigger.schedule !== undefined)) {
      const message = "expected either a schedule or filter.schedule_ids, not both";
      return [problemAt(automation, ["triggers", index], "FF_INVALID_TRIGGER", message)];
    }
    if (!trigger.schedule) return [];
    const { cron, name } = trigger.schedule;
    const problems: Problem[] = [];
    try {
      if (!parseCron(cron).next(SOME_DAY)) {
        const message = `"${cron}" specifies a day that does not exist in any year: this schedule never fires`;
        const at = ["triggers", index, "schedule", "cron"];
        problems.push(problemAt(automation, at, "FF_INVALID_TRIGGER", message, "warning"));
      }
    } catch (error) {
      const message = `"${cron}" is not a valid schedule: ${errorMessage(error)}`;
      problems.push(
        problemAt(automation, ["triggers", index, "schedule", "cron"], "FF_INVALID_TRIGGER", message),
      );
    }
    if (names.has(name)) {
      const message =
        name === undefined ? "only one schedule may be unnamed" : `a second schedule is named "${name}"`;
      problems.push(
        problemAt(automation, ["triggers", index, "schedule", "name"], "FF_INVALID_TRIGGER", message),
      );
    }
    names.add(name);
    return problems;
  });
};

export const timeZoneIsKnown: AutomationRule = (automation) => {
  const { timezone } = automation.data.millrace ?? {};
  if (timezone === undefined || isTimeZone(timezone)) return [];
  const message = `timezone: "${timezone}" is not a known time zone: ${EXPECTED_TIME_ZONE}`;
  return [problemAt(automation, ["millrace", "timezone"], "FF_INVALID_VALUE", message)];
};

export const titleIsATemplate: AutomationRule = (automation) => {
  const template = automation.data.millrace?.title;
  const problem = template === undefined ? undefined : titleProblem(template);
  return problem === undefined
    ? []
    : [problemAt(automation, ["millrace", "title"], "FF_INVALID_VALUE", `title: ${problem}`)];
};

export const automationsNameDeclaredAgents: TreeRule = (tree) => {
  const agents = namesOf(tree, "agent");
  if (!tree.present.some((file) => file.kind === "factory")) return [];
  return tree.automations
    .filter(({ data }) => data.agent !== undefined && !agents.has(data.agent))
    .map((automation) => {
      const message = `there is no agent "${automation.data.agent}": expected a folder with that name in agents/`;
      return problemAt(automation, ["agent"], "FF_INVALID_REFERENCE", message);
    });
};

/** `automations/<name>/automation.md` and its old form `automations/<name>.md` may not both be there. */
export const automationsHaveOneFormEach: TreeRule = (tree) => {
  const automations = tree.present.filter((file) => file.kind === "automation");
  const folders = new Set(
    automations.filter((file) => file.path.endsWith("/automation.md")).map((file) => file.name),
  );
  return automations
    .filter((file) => !file.path.endsWith("/automation.md") && folders.has(file.name))
    .map((file): Problem => {
      const message = `automations/${file.name}/automation.md also defines this automation: remove one of the two files`;
      return { code: "FF_DUPLICATE_PATH", message, path: file.path, line: 1, column: 1, severity: "error" };
    });
};

/** A name that names nothing leaves the automation visible and silent, so it is a warning and not an error. */
export const triggersNameDeclaredWebhooks: TreeRule = (tree) => {
  const webhooks = namesOf(tree, "webhook");
  return tree.automations.flatMap((automation) =>
    eachTrigger(automation, (trigger, index) =>
      (trigger.millrace?.webhooks ?? []).flatMap((name, at) => {
        if (webhooks.has(name)) return [];
        const message = `there is no webhooks/${name}.yaml: this trigger does not fire for it`;
        const path = ["triggers", index, "millrace", "webhooks", at];
        return [problemAt(automation, path, "FF_INVALID_REFERENCE", message, "warning")];
      }),
    ),
  );
};

/** `webhook_ids` of the public format has uids, which git does not know; a file is named beside the filter. */
export const webhookIdsNameNoFiles: TreeRule = (tree) => {
  const webhooks = namesOf(tree, "webhook");
  return tree.automations.flatMap((automation) =>
    eachTrigger(automation, (trigger, index) => {
      if (trigger.provider !== "webhook") return [];
      return inclusion(trigger.filter?.webhook_ids).flatMap((written) => {
        const name = fileName(written);
        if (!webhooks.has(name)) return [];
        const message =
          `${JSON.stringify(written)} is the name of a file, and webhook_ids takes uids, so this trigger does not fire for it: ` +
          `instead of webhook_ids, write \`millrace: { webhooks: [${name}] }\` next to provider and event`;
        const at = ["triggers", index, "filter", "webhook_ids"];
        return [problemAt(automation, at, "FF_INVALID_REFERENCE", message, "warning")];
      });
    }),
  );
};

/** The webhook that somebody means who writes `ci`, `ci.yaml` or `webhooks/ci.yaml`. */
export function fileName(written: string): string {
  return written.replace(/^webhooks\//, "").replace(/\.ya?ml$/, "");
}

function eachTrigger(
  automation: WrittenFile<WrittenAutomation>,
  rule: (trigger: WrittenTrigger, index: number) => Problem[],
): Problem[] {
  return automation.data.triggers.flatMap(rule);
}
