import { realpathSync, type Stats } from "node:fs";
import { stat } from "node:fs/promises";
import { relative } from "node:path";
import { type FSWatcher, watch as watchFiles } from "chokidar";
import { systemCode } from "../errors/error.ts";
import { type IgnoredPaths, ignoredPathsOf, REST_MS } from "./folder.ts";

/** A change counts when no other has been told of for as long as a folder has to be at rest. */
const DEBOUNCE_MS = REST_MS;
/** Where changes never end, one counts at this distance, so that the owner is told. */
const MAX_BURST_MS = 10_000;
/** How often is looked whether the folder is still the one that is watched. */
const LOOK_MS = 1_000;
/** How often a change is supposed where the system does not tell of changes. */
const SUPPOSE_MS = 5_000;

export interface WatchOptions {
  isIgnored?: IgnoredPaths;
  /** Something has changed, or may have: heard once for a burst of changes, and each time that watching begins. */
  onChange(): void;
  /** The folder cannot be watched; from now on a change is supposed every few seconds. */
  onTrouble(why: string): void;
}

/**
 * Tells of changes to the content of a folder, also of one that is removed or replaced and comes back.
 * @returns what ends the watching
 */
export function watchFolder(
  path: string,
  { isIgnored = ignoredPathsOf(path), onChange, onTrouble }: WatchOptions,
): { stop(): Promise<void> } {
  let watcher: FSWatcher | undefined;
  let watched: string | undefined;
  let burst: NodeJS.Timeout | undefined;
  let burstSince: number | undefined;
  let stopped = false;

  function changed(): void {
    if (stopped) return;
    clearTimeout(burst);
    burstSince ??= performance.now();
    const left = burstSince + MAX_BURST_MS - performance.now();
    burst = setTimeout(
      () => {
        burstSince = undefined;
        onChange();
      },
      Math.max(0, Math.min(DEBOUNCE_MS, left)),
    );
  }

  /** Node's watchers hold on to the folder that was there, whatever takes its place. */
  async function look(): Promise<void> {
    const found = await stat(path).catch(() => undefined);
    const identity = found && identityOf(found);
    if (stopped || identity === watched) return;
    void watcher?.close();
    watcher = identity === undefined ? undefined : begin();
    watched = identity;
    if (identity === undefined) changed();
  }

  function begin(): FSWatcher {
    const root = realpathSync(path);
    const begun = watchFiles(root, {
      ignoreInitial: true,
      followSymlinks: false,
      ignored: (entry) => entry !== root && isIgnored(relative(root, entry)),
    });
    // What was changed between the last reading and now has been told to nobody.
    begun.on("ready", changed);
    begun.on("all", changed);
    begun.on("unlinkDir", (gone) => {
      // The same folder may be back before the next look, and this watcher does not take it up again.
      if (gone === root) watched = undefined;
    });
    begun.on("error", (error) => giveUp(begun, error));
    return begun;
  }

  function giveUp(begun: FSWatcher, error: unknown): void {
    if (stopped || begun !== watcher) return;
    watcher = undefined;
    void begun.close();
    clearInterval(timer);
    timer = setInterval(onChange, SUPPOSE_MS);
    onTrouble(explain(error));
  }

  let timer = setInterval(() => void look().catch(() => {}), LOOK_MS);
  void look().catch(() => {});
  return {
    async stop() {
      stopped = true;
      clearTimeout(burst);
      clearInterval(timer);
      await watcher?.close();
    },
  };
}

/** Numbers of folders are used again; the time of birth tells a new folder from the old one of its number. */
function identityOf({ dev, ino, birthtimeMs }: Stats): string {
  return `${dev} ${ino} ${birthtimeMs}`;
}

function explain(error: unknown): string {
  const said = error instanceof Error ? error.message : String(error);
  if (systemCode(error) !== "ENOSPC") return said;
  return `${said}; the system's limit on file watches was reached: raise fs.inotify.max_user_watches`;
}
