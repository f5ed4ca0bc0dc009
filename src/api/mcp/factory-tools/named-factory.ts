import { MillraceError } from "../../../errors/error.ts";
import type { Caller } from "../../http/authorize.ts";
import type { AnswerOf } from "../../http/endpoint.ts";
import type { ToolContext } from "../tool.ts";

type Factories = AnswerOf<"searchFactories">["factories"];

/** The most that an operation lists in one page, and more than servers have. */
const MAX_FACTORIES = 500;

export const factoryInput = {
  type: "string",
  minLength: 1,
  description: "The UID or name of the factory. An agent leaves it out: it works in one factory.",
} as const;

/** Other names for the factory and the task of a call: those of millrace's own tools. */
export const NAMED = { factory: "factory_uid", task_uid: "factory_task_uid" } as const;

/** Why a run has no tool that is about a factory. */
export function factoryRefusal(caller: Caller): string | undefined {
  if (caller.kind === "key" || caller.run.factoryUid !== null) return undefined;
  return "This run belongs to no factory.";
}

/** The factories that an API key reaches. */
export async function reachedFactories({ call }: Pick<ToolContext, "call">): Promise<Factories> {
  return (await call("searchFactories", { query: { limit: MAX_FACTORIES } })).factories;
}

/**
 * The factory that a call is about: the one that is named, else that of the run, else the only one that the key reaches. The
 * operations refuse a name that the caller cannot reach.
 * @throws MillraceError `invalid_request` that lists the factories
 */
export async function factoryIn(named: string | undefined, context: ToolContext): Promise<string> {
  const own = context.caller.kind === "run" ? context.caller.run.factoryUid : null;
  const uid = named ?? own;
  if (uid !== null) return uid;
  const [only, ...others] = await reachedFactories(context);
  if (only && others.length === 0) return only.uid;
  const names = [only, ...others].flatMap((factory) => (factory ? [`${factory.name} (${factory.uid})`] : []));
  throw new MillraceError("invalid_request", 'missing key "factory_uid".', {
    remedy: names.length === 0 ? "There are no factories yet." : `The factories are ${names.join(", ")}.`,
  });
}
