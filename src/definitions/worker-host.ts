/** Names under which runs execute where they do by default: that of the public service, and our own. */
const THIS_SERVER: ReadonlySet<string> = new Set(["warp", "local", "millrace"]);

const LABELS = "labels:";
/** What a worker can be called, and what its labels can be: a host in a definition is written in the same letters. */
export const WORKER_NAME = /^[A-Za-z0-9][A-Za-z0-9._-]{0,62}$/;
export const WORKER_LABEL = /^[a-z0-9][a-z0-9._-]{0,62}$/;
export const MAX_LABELS = 32;

/** Names that no worker can have, in letters of any case: runs for them never leave this server. */
export const SERVER_NAMES: readonly string[] = [...THIS_SERVER];

/** Whether a worker host is the default one, which is this server as long as it executes runs; without a host, it is. */
export function isThisServer(workerHost: string | null | undefined): boolean {
  return !workerHost || THIS_SERVER.has(workerHost);
}

/** The labels that a worker host asks for, sorted and each once; nothing for one that is a name. */
export function labelsOf(workerHost: string): string[] | undefined {
  if (!workerHost.startsWith(LABELS)) return undefined;
  const labels = workerHost.slice(LABELS.length).split(",");
  return [...new Set(labels.map((label) => label.trim().toLowerCase()))].sort();
}

/** What is wrong with the form of a worker host, and what is expected; nothing for a valid one. */
export function workerHostProblem(workerHost: string): string | undefined {
  const labels = labelsOf(workerHost);
  const shown = JSON.stringify(workerHost.slice(0, 100));
  if (labels === undefined) {
    if (workerHost === "" || WORKER_NAME.test(workerHost)) return undefined;
    return (
      `${shown} is not a worker host: expected the name of a worker or of a pool (letters, digits, ".", "_" and "-", ` +
      "at most 63 characters), labels:a,b for any worker that has all these labels, or local for this server"
    );
  }
  const broken = labels.find((label) => !WORKER_LABEL.test(label));
  if (broken === undefined && labels.length <= MAX_LABELS) return undefined;
  const why =
    broken === undefined
      ? `it lists ${labels.length} labels, and at most ${MAX_LABELS} are allowed`
      : broken === ""
        ? "it contains an empty label"
        : `the label ${JSON.stringify(broken.slice(0, 100))} may contain only letters, digits, ".", "_" and "-", and at most 63 characters`;
  return `${shown} is not a worker host: ${why}; expected for example labels:gpu,eu`;
}

/**
 * One text for each host: labels sorted and in lower case, each once. The default host is empty.
 */
export function canonicalWorkerHost(workerHost: string | null | undefined): string {
  if (workerHost == null || isThisServer(workerHost)) return "";
  const labels = labelsOf(workerHost);
  return labels ? `${LABELS}${labels.join(",")}` : workerHost;
}
