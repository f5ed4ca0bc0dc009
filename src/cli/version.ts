import { existsSync } from "node:fs";
import sea from "node:sea";
import { assetPath, readAsset } from "../platform/assets.ts";
import { programVersion } from "../platform/program-version.ts";

/** Which program this is, for a report of a fault. */
export interface BuildInfo {
  version: string;
  /** Of the sources; null where they were in no repository. */
  commit: string | null;
  /** What it was built for, and the Node in it or around it. */
  platform: string;
  node: string;
  built_at: string | null;
}

export function buildInfo(): BuildInfo {
  const platform = `${process.platform}-${process.arch}`;
  return { version: programVersion(), platform, node: process.version, ...built() };
}

function built(): Pick<BuildInfo, "commit" | "built_at"> {
  if (!sea.isSea() && !existsSync(assetPath("dist/build.json"))) return { commit: null, built_at: null };
  return JSON.parse(readAsset(sea.isSea() ? "build.json" : "dist/build.json"));
}
