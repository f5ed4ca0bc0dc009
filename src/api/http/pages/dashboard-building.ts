import { readFileSync } from "node:fs";
import sea from "node:sea";
import { systemCode } from "../../../errors/error.ts";
import { assetPath } from "../../../platform/assets.ts";

/**
 * Whether a process is building the dashboard now: the first `npm start` serves before it has one. A file next to its folder has
 * the id of that process (scripts/start.cjs), and may be left by one that was killed.
 */
export function isBeingBuilt(folder: string): boolean {
  if (sea.isSea()) return false;
  try {
    const builder = Number(readFileSync(assetPath(`${folder}/../.dashboard-building`), "utf8"));
    return Number.isSafeInteger(builder) && builder > 0 && process.kill(builder, 0);
  } catch (error) {
    // A process of another user runs too.
    return systemCode(error) === "EPERM";
  }
}

/** It has no script, for there are no files to take one from. */
export const BUILDING_PAGE = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<meta name="color-scheme" content="light dark">
<meta http-equiv="refresh" content="2">
<title>millrace: building the dashboard</title>
</head>
<body>
<h1>The dashboard is being built</h1>
<p>The server is already running. This page reloads until the dashboard is built, which takes about half a minute on an idle machine.</p>
</body>
</html>
`;
