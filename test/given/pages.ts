import { readdirSync, readFileSync } from "node:fs";
import { join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import type { Files } from "./folder.ts";

const ROOT = fileURLToPath(new URL("../../", import.meta.url));

/** Every page of the documentation, by its path in the repository. */
export function pages(): string[] {
  const ofRoot = readdirSync(ROOT).filter((name) => name.endsWith(".md"));
  return [...ofRoot, ...markdownIn(join(ROOT, "docs"))].sort();
}

export function pageText(page: string): string {
  return readFileSync(join(ROOT, page), "utf8");
}

/** The files that a page shows with their paths: what follows a line such as "```yaml webhooks/ci.yaml". */
export function filesShownIn(page: string): Files {
  const blocks = pageText(page).matchAll(/^```\w+ (\S+\.\w+)\n((?:.*\n)*?)```$/gm);
  return Object.fromEntries([...blocks].map(([, path = "", content = ""]) => [path, content]));
}

function markdownIn(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) return markdownIn(path);
    return entry.name.endsWith(".md") ? [relative(ROOT, path)] : [];
  });
}
