// `node scripts/emit.mjs FOLDER`: writes each module of src/ as JavaScript, without checking types, in a second. tsc checks them
// and writes the declarations where those are wanted: scripts/setup.cjs.
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { basename, dirname, join, relative, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { transformSync } from "rolldown/utils";

const src = fileURLToPath(new URL("../src/", import.meta.url));
const folder = resolve(process.argv[2]);
/** As tsconfig.json says it. */
const OPTIONS = {
  target: "es2023",
  sourcemap: true,
  typescript: { rewriteImportExtensions: "rewrite", onlyRemoveTypeImports: true },
};

for (const entry of readdirSync(src, { recursive: true, withFileTypes: true })) {
  if (!entry.isFile() || !entry.name.endsWith(".ts")) continue;
  const source = join(entry.parentPath, entry.name);
  const { code, map, errors } = transformSync(source, readFileSync(source, "utf8"), OPTIONS);
  if (errors.length > 0) throw new Error(`${source} is not TypeScript: ${errors[0].message}`);
  const file = join(folder, relative(src, source).replace(/\.ts$/, ".js"));
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, `${code}//# sourceMappingURL=${basename(file)}.map\n`);
  writeFileSync(`${file}.map`, JSON.stringify({ ...map, sources: [relative(dirname(file), source)] }));
}
