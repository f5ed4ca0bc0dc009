import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

/** The artifacts below a data folder that hold what only its server may read: the master key, or a database. */
export function copiedFrom(dataDir: string, key: Buffer): string[] {
  const folder = join(dataDir, "artifacts");
  if (!existsSync(folder)) return [];
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name))
    .filter((path) => {
      const content = readFileSync(path);
      return content.includes(key) || content.subarray(0, 16).toString().startsWith("SQLite format 3");
    });
}
