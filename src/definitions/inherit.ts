import type { Execution, Harness } from "./definition.ts";
import type { WrittenExecution, WrittenHarness } from "./written.ts";

/** `oz` is the name of the format for "whatever the server runs agents with". */
export const DEFAULT_HARNESS = "oz";
/** What a factory's defaults are laid over. */
export const NOTHING_SET: Execution = { harness: { type: DEFAULT_HARNESS }, secrets: [], mcpServers: {} };

/**
 * Lays one level's keys over what it inherits. `model` and `harness` replace each other; secrets and mcpServers
 * replace as a whole; null inherits, but for workerHost and reasoningLevel, which null or an empty text clears.
 */
export function inherit(base: Execution, own: WrittenExecution): Execution {
  const harness = own.harness
    ? inheritHarness(base.harness, own.harness)
    : withModel(base.harness, own.model);
  const workerHost = own.workerHost === undefined ? base.workerHost : own.workerHost || undefined;
  return {
    harness,
    ...optional("runner", own.runner ?? base.runner),
    ...optional("environmentId", own.environmentId ?? base.environmentId),
    ...optional("workerHost", workerHost),
    secrets: own.secrets ?? base.secrets,
    ...optional("inject", base.inject),
    mcpServers: own.mcpServers ?? base.mcpServers,
    ...optional("ownMcpServers", base.ownMcpServers),
    ...optional("idleTimeoutMinutes", base.idleTimeoutMinutes),
    ...optional("priority", base.priority),
  };
}

/** A model alone is the model of the server's default harness. */
function withModel(base: Harness, model: string | null | undefined): Harness {
  return model == null ? base : { type: DEFAULT_HARNESS, model };
}

function inheritHarness(base: Harness, own: WrittenHarness): Harness {
  const type = own.type === undefined ? base.type : canonicalHarness(own.type);
  // Another program knows nothing of this one's models, credential and reasoning level.
  const kept: Partial<Harness> = type === base.type ? base : {};
  const reasoningLevel =
    own.reasoningLevel === undefined ? kept.reasoningLevel : own.reasoningLevel || undefined;
  const auth = own.auth === undefined ? kept.auth : (own.auth ?? undefined);
  return {
    type,
    ...optional("model", own.model ?? kept.model),
    ...optional("fallbackModels", kept.fallbackModels),
    ...optional("reasoningLevel", reasoningLevel),
    ...optional("auth", auth),
  };
}

/** The name of a harness by any of its public spellings. */
export function canonicalHarness(type: string): string {
  return type === "claude-code" ? "claude" : type;
}

/** An entry that is there only when it has a value, as exact optional properties want it. */
export function optional<Key extends string, Value>(
  key: Key,
  value: Value | undefined,
): { [K in Key]?: Value } {
  return value === undefined ? {} : ({ [key]: value } as { [K in Key]: Value });
}

/** The names under which a definition can ask for the server's default harness. */
export const DEFAULT_NAMES: ReadonlySet<string> = new Set(["oz", "command"]);
