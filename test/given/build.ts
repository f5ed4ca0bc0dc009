import { existsSync } from "node:fs";

/** Tests start the built program, so there has to be one. `npm test` builds it when a source has changed. */
export function setup(): void {
  // Agents and servers of other users read what tests write, also where whoever starts the tests keeps files private.
  process.umask(0o022);
  const made = ["main.js", "dashboard/index.html"];
  if (!made.every((name) => existsSync(new URL(`../../dist/${name}`, import.meta.url)))) {
    throw new Error("There is no build: run `npm run build` first, or `npm test`, which does.");
  }
}
