/** What a command ends with. Scripts rely on these numbers: none changes its meaning. */
export const EXIT_CODES = {
  ok: 0,
  no: 1,
  usage: 2,
  noAnswer: 3,
  notAllowed: 4,
  notFound: 5,
  conflict: 6,
  tooLate: 7,
  recorded: 75,
} as const;

const MEANINGS: Record<keyof typeof EXIT_CODES, string> = {
  ok: "success",
  no: "the command ran, but the result is negative: a run failed (not for `millrace agent wait`), a definition is invalid, the server refused the request",
  usage: "incorrect usage or invalid settings",
  noAnswer: "the server cannot be reached or does not respond",
  notAllowed: "the API key is missing, invalid, expired or revoked, or does not allow this operation",
  notFound: "not found",
  conflict: "conflict with the current state, or the resource was modified",
  tooLate: "timed out",
  recorded: "`millrace agent wait` recorded a wait that is not done yet",
};

/** Each code with its meaning. */
export function exitCodes(): [code: number, meaning: string][] {
  return Object.entries(EXIT_CODES).map(([name, code]) => [code, MEANINGS[name as keyof typeof EXIT_CODES]]);
}

/** The table as `millrace --help` shows it. */
export function exitCodeHelp(): string {
  return `\nExit codes:\n${exitCodes()
    .map(([code, meaning]) => ` ${String(code).padStart(2)}  ${wrapped(meaning)}`)
    .join("\n")}`;
}

/** A meaning in lines of at most 80 columns, below each other next to its code. */
function wrapped(meaning: string): string {
  return meaning.replace(/(.{1,74})(?: |$)/g, "$1\n     ").trimEnd();
}

/** How a command failed: it was called wrongly, no one answered, it was refused with an HTTP status, or otherwise. */
export type Failure = { kind: "usage" | "no-answer" | "failed" } | { kind: "refused"; status: number };

export function exitCodeOf(failure: Failure): number {
  switch (failure.kind) {
    case "usage":
      return EXIT_CODES.usage;
    case "no-answer":
      return EXIT_CODES.noAnswer;
    case "failed":
      return EXIT_CODES.no;
    case "refused":
      return BY_STATUS.get(failure.status) ?? EXIT_CODES.no;
  }
}

const BY_STATUS = new Map<number, number>([
  [401, EXIT_CODES.notAllowed],
  [403, EXIT_CODES.notAllowed],
  [404, EXIT_CODES.notFound],
  [409, EXIT_CODES.conflict],
  [412, EXIT_CODES.conflict],
]);
