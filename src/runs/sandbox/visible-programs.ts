import { dirname, isAbsolute, join } from "node:path";
import { followLinks } from "./follow-links.ts";
import { installationOf } from "./installation.ts";
import { findOnPath } from "./locate-program.ts";
import { exists, headOf } from "./look-at-files.ts";
import type { WantedPath } from "./shown-paths.ts";

/**
 * What of the server a command needs to see, beyond the folders of the system: the installation of its program and of the
 * interpreter that this names, what its other words name by absolute path, and the Node that serves, in which many agents
 * run. Nothing that lies beside these.
 */
export function visiblePrograms(command: readonly string[], path: string): WantedPath[] {
  const [name = "", ...args] = command;
  const program = findOnPath(name, path);
  const named = args.filter((word) => isAbsolute(word) && word !== "/" && exists(word));
  return [
    installed(process.execPath),
    ...(program === undefined ? [] : [program, ...startedBy(program, path)].map(installed)),
    ...named.map((word) => ({ path: word })),
  ];
}

const installed = (path: string): WantedPath => ({ path, mountOf: installationOf });

/** What a script starts: its interpreter, and what the shell scripts of pnpm name from their own folder. */
function startedBy(program: string, path: string): string[] {
  const head = headOf(followLinks(program).real);
  const [, shebang = ""] = /^#!\s*(.*)/.exec(head) ?? [];
  const [interpreter = "", ...words] = shebang.trim().split(/\s+/);
  // `env` looks for the first word that is neither an option nor a variable.
  const sought = interpreter.endsWith("/env") ? words.find((word) => !/^-|=/.test(word)) : interpreter;
  const folder = dirname(program);
  const beside = [...head.matchAll(/"\$basedir\/([^"$]+)"/g)].map(([, rest = ""]) => join(folder, rest));
  return [
    ...(sought ? [findOnPath(sought, path) ?? ""] : []),
    // Those scripts try the Node in their own folder and then that of PATH.
    ...(beside.length === 0 ? [] : [...beside, findOnPath("node", path) ?? ""]),
  ].filter(exists);
}
