import { type AllowEntry, coversEntry, parseAllowEntry } from "./allow-entry.ts";

/** The lists behind `@name` in an allowlist: the hosts that the usual programs reach to do their work. */
export const NETWORK_PRESETS = {
  "@models": [
    "api.anthropic.com",
    "api.openai.com",
    "chatgpt.com",
    "auth.openai.com",
    "generativelanguage.googleapis.com",
    "aiplatform.googleapis.com",
    "*.aiplatform.googleapis.com",
    "openrouter.ai",
    "opencode.ai",
  ],
  "@npm": ["registry.npmjs.org", "registry.yarnpkg.com"],
  "@pip": ["pypi.org", "files.pythonhosted.org"],
  "@apt": [
    "deb.debian.org",
    "security.debian.org",
    "archive.ubuntu.com",
    "security.ubuntu.com",
    "ports.ubuntu.com",
  ],
  "@go": ["proxy.golang.org", "sum.golang.org", "storage.googleapis.com"],
  "@github": [
    "github.com",
    "github.com:22",
    "api.github.com",
    "uploads.github.com",
    "codeload.github.com",
    "*.githubusercontent.com",
    "ghcr.io",
  ],
  "@gitlab": ["gitlab.com", "gitlab.com:22", "registry.gitlab.com"],
} as const satisfies Record<`@${string}`, readonly string[]>;

/** What a file, a request or the settings say of what runs may reach. */
export type NetworkRule =
  /** Nothing but the API of the server. */
  | "none"
  | "all"
  | {
      /** Hosts, addresses and networks, each with a port or without, and names of presets. */
      allow: string[];
      /** Whether nothing nearer to the run may allow more. */
      locked?: boolean;
    };

/** What a rule allows, with its presets written out; nothing where that is everything. */
export function allowedBy(rule: NetworkRule): string[] | undefined {
  if (rule === "all") return undefined;
  if (rule === "none") return [];
  return [...new Set(rule.allow.flatMap(writtenOut))];
}

export function isLocked(rule: NetworkRule): boolean {
  return typeof rule === "object" && rule.locked === true;
}

/** What is wrong with the entries of a list, each by its place. */
export function entryProblems(allow: readonly string[]): { index: number; problem: string }[] {
  return allow.flatMap((text, index) => {
    const problem = entryProblem(text);
    return problem === undefined
      ? []
      : [{ index, problem: `${JSON.stringify(text.slice(0, 100))}: ${problem}` }];
  });
}

/** The entries of a list that allow something which another list does not. */
export function widerEntries(allow: readonly string[], limit: readonly string[]): string[] {
  const limits = readEntries(limit.flatMap(writtenOut));
  return allow.filter(
    (text) =>
      !readEntries(writtenOut(text)).every((entry) => limits.some((wide) => coversEntry(wide, entry))),
  );
}

/** Entries in the form in which they are compared. One that cannot be read allows nothing. */
export function readEntries(allow: readonly string[]): AllowEntry[] {
  return allow.map(parseAllowEntry).filter((entry) => "kind" in entry);
}

function entryProblem(text: string): string | undefined {
  if (!text.startsWith("@")) {
    const entry = parseAllowEntry(text);
    return "problem" in entry ? entry.problem : undefined;
  }
  if (Object.hasOwn(NETWORK_PRESETS, text)) return undefined;
  return `there is no such preset; expected one of ${Object.keys(NETWORK_PRESETS).join(", ")}`;
}

function writtenOut(text: string): readonly string[] {
  return Object.hasOwn(NETWORK_PRESETS, text)
    ? NETWORK_PRESETS[text as keyof typeof NETWORK_PRESETS]
    : [text];
}
