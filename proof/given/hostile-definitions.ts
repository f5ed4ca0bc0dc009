import { costlyYaml } from "../../test/given/folder.ts";
import type { Chance } from "./chance.ts";

const MAX_FILE_BYTES = 256 * 1024;
const nested = (depth: number) => `${"[".repeat(depth)}${"]".repeat(depth)}`;

/** Files that somebody writes who wants a definition to cost more than it should, or to be read as something else. */
const KINDS: Record<string, (chance: Chance) => string> = {
  "flow maps": () => costlyYaml("secretName"),
  "a key for each letter": () => Array.from({ length: 20_000 }, (_, n) => `k${n}: ${n}`).join("\n"),
  "the same key again": () => "secretName: A\n".repeat(15_000),
  "aliases of aliases": () =>
    ["a0: &a0 [x, x]"]
      .concat(Array.from({ length: 30 }, (_, n) => `a${n + 1}: &a${n + 1} [*a${n}, *a${n}]`))
      .join("\n"),
  "brackets in brackets": (chance) => `secretName: ${nested(1_000 + chance.below(50_000))}`,
  "a text without an end": () => `secretName: "${"\\u0041".repeat(MAX_FILE_BYTES / 8)}`,
  "globs in globs": () =>
    `triggers:\n  - { provider: github, event: push, filters: { paths: ["${"**/a/".repeat(5_000)}b"] } }`,
  "bytes that are no text": (chance) =>
    String.fromCharCode(...Array.from({ length: 5_000 }, () => chance.below(256))),
  "a long list of filters": () =>
    `triggers:\n  - { provider: webhook, filters: { payload: { a: [${"1, ".repeat(60_000)}1] } } }`,
  "a name that climbs": () => "scheme: { id: ../../etc/passwd }\nsecretName: ../../master.key\n",
};

/** A file of a definition, and what is wrong with it. */
export function hostileFile(chance: Chance): { path: string; content: string; says: string } {
  const says = chance.oneOf(Object.keys(KINDS));
  const content = KINDS[says]?.(chance).slice(0, MAX_FILE_BYTES) ?? "";
  const path = chance.oneOf([
    "webhooks/hostile.yaml",
    "automations/hostile.md",
    "factory.yaml",
    "agents/hostile/agent.md",
  ]);
  const text = path.endsWith(".md") ? `---\n${content}\n---\nDo harm.\n` : content;
  return { path, content: text, says: `${says} in ${path}` };
}
