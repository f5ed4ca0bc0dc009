// `npm run bench:more -- NAME`: one of the benchmarks in bench/more.
import { readdirSync } from "node:fs";

const folder = new URL("./more/", import.meta.url);
const names = readdirSync(folder).map((file) => file.replace(/\.mjs$/, ""));
const name = process.argv[2] ?? "";
if (!names.includes(name)) {
  console.error(`Specify a benchmark: ${names.join(", ")}.`);
  process.exit(2);
}
await import(new URL(`${name}.mjs`, folder));
