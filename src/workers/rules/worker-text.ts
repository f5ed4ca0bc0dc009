import { MAX_LABELS, WORKER_LABEL, WORKER_NAME } from "../../definitions/worker-host.ts";

/** Why a text cannot be a label of a worker, as a sentence; nothing for one that can. */
export function labelProblem(label: string): string | undefined {
  if (WORKER_LABEL.test(label)) return undefined;
  return `The label "${shown(label)}" is not valid: expected 1 to 63 lower-case letters, digits, dots, underscores and hyphens, beginning with a letter or digit.`;
}

/** Why these cannot be the labels of a worker, as a sentence. */
export function labelsProblem(labels: readonly string[]): string | undefined {
  if (labels.length > MAX_LABELS)
    return `A worker has at most ${MAX_LABELS} labels, but ${labels.length} were given.`;
  return labels.map(labelProblem).find((problem) => problem !== undefined);
}

/**
 * Why a text cannot be the name of a worker, as a sentence. A definition names a worker by it, beside `labels:a,b`: so a name
 * has no colon and no comma.
 */
export function workerNameProblem(name: string): string | undefined {
  if (WORKER_NAME.test(name)) return undefined;
  return `The name "${shown(name)}" is not valid: expected 1 to 63 letters, digits, dots, underscores and hyphens, beginning with a letter or digit.`;
}

/** Labels in the order in which they are compared and shown, each once. */
export function sortedLabels(labels: readonly string[]): string[] {
  return [...new Set(labels)].sort();
}

/** What was sent may be of any length. */
const shown = (text: string) => (text.length > 80 ? `${text.slice(0, 79)}…` : text);
