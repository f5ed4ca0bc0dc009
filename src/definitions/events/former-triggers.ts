import {
  type Automation,
  MATCHING,
  type ProviderTrigger,
  type RepositoryReference,
  type Trigger,
} from "../definition.ts";
import { hasConstraint } from "../filters/matcher-list.ts";
import { one, type PayloadField } from "../filters/payload-field.ts";

/** Whether a trigger was applied by a version that counted deliveries which count no more. */
export function isFormer({ provider, matching }: Pick<ProviderTrigger, "provider" | "matching">): boolean {
  return provider === "github" && matching === undefined;
}

/** A field as those versions read it: a branch stood for what lies below it, and a workflow run's author was its actor. */
export function formerField(event: string, key: string, field: PayloadField): PayloadField {
  if (field.compare === "branch") return { ...field, compare: "path" };
  const isActor = event === "workflow_run_completed" && key === "authors";
  return isActor ? { ...field, read: one("workflow_run", "actor", "login") } : field;
}

/** An automation with its triggers as this version reads them. */
export function asReadNow(automation: Automation, repositories: readonly RepositoryReference[]): Automation {
  const limits = repositories.map(({ owner, name }) => `${owner}/${name}`);
  const triggers = automation.triggers.map((trigger): Trigger => {
    if (trigger.provider !== "github" || !isFormer(trigger)) return trigger;
    const isLimited = limits.length > 0 && !hasConstraint(trigger.filter.repos);
    return { ...trigger, matching: MATCHING, ...(isLimited ? { repositories: limits } : {}) };
  });
  return { ...automation, triggers };
}
