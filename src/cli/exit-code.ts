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
} as const;

const MEANINGS: Record<keyof typeof EXIT_CODES, string> = {
  ok: "all went well",
  no: "the command ran, and the answer is no: a run failed, a definition is not valid, the server refused",
  usage: "wrong usage, or settings that are wrong",
  noAnswer: "the server cannot be reached, or does not answer",
  notAllowed: "no key, a key that is not in force, or one that does not allow this",
  notFound: "there is no such thing",
  conflict: "it conflicts with the present state, or the thing has changed meanwhile",
  tooLate: "it did not happen within the time that it was waited for",
};

/** The table as `millrace --help` shows it. */
export function exitCodeHelp(): string {
  const lines = Object.entries(EXIT_CODES).map(([name, code]) => {
    return `  ${code}  ${MEANINGS[name as keyof typeof EXIT_CODES]}`;
  });
  return `\nExit codes:\n${lines.join("\n")}`;
}

/** How a command failed: it was called wrongly, nobody answered, it was refused with an HTTP status, or otherwise. */
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
