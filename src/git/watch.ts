import { basename } from "node:path";
import { watch as watchFiles } from "chokidar";
import { isLeftOut } from "./folder.ts";

/** An editor writes a file in several steps; a change counts when nothing has moved for this long. */
const DEBOUNCE_MS = 150;

/**
 * Calls back some time after the content of a folder has changed, once for a burst of changes.
 * @returns what ends the watching
 */
export function watchFolder(path: string, onChange: () => void): { stop(): Promise<void> } {
  let timer: NodeJS.Timeout | undefined;
  const watcher = watchFiles(path, {
    ignoreInitial: true,
    followSymlinks: false,
    ignored: (entry) => entry !== path && isLeftOut(basename(entry)),
  });
  watcher.on("all", () => {
    clearTimeout(timer);
    timer = setTimeout(onChange, DEBOUNCE_MS);
  });
  // A folder that cannot be watched any more (removed, too many watches) is still read at every sync.
  watcher.on("error", () => {});
  return {
    async stop() {
      clearTimeout(timer);
      await watcher.close();
    },
  };
}
