import { existsSync } from "node:fs";

/** Tests start the built program, so there has to be one. `npm test` builds it when a source has changed. */
export function setup(): void {
  const made = ["main.js", "dashboard/index.html"];
  if (!made.every((name) => existsSync(new URL(`../../dist/${name}`, import.meta.url)))) {
    throw new Error("There is no build: run `npm run build` first, or `npm test`, which does.");
  }
}
