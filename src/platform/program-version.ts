import { readAsset } from "./assets.ts";

/** The version of this program, as package.json has it. */
export function programVersion(): string {
  return (JSON.parse(readAsset("package.json")) as { version: string }).version;
}
