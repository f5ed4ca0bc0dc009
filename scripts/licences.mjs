// The words under which the packages of a bundle may be passed on.
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

/** @param moduleIds the files that went into a bundle. @returns a text with each package among them and its licence */
export function licencesOf(moduleIds) {
  const packages = new Set(moduleIds.flatMap((id) => /^.*node_modules\/(?:@[^/]+\/)?[^/]+/.exec(id) ?? []));
  const texts = [...packages].sort().map((path) => {
    const { name, version } = JSON.parse(readFileSync(join(path, "package.json"), "utf8"));
    const file = readdirSync(path).find((entry) => /^licen[cs]e/i.test(entry));
    const text = file ? readFileSync(join(path, file), "utf8") : "";
    return `${name} ${version}\n\n${text.trim()}\n`;
  });
  return texts.join(`\n${"-".repeat(80)}\n\n`);
}
