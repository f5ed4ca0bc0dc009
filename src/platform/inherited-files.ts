import { closeSync, readdirSync, readFileSync } from "node:fs";

/** Of open(2), in the flags that /proc shows of a descriptor. */
const CLOSE_ON_EXEC = 0o2_000_000;
/** Standard input, output and error. */
const LAST_STANDARD = 2;

/**
 * Closes every file that this process has inherited and would pass on to the programs that it starts. Node marks those up
 * to the first gap above 15 (`uv_disable_stdio_inheritance`), and agents got the others. What Node and this program open themselves
 * is marked, so nothing of theirs is closed. Does nothing where there is no /proc.
 */
export function closeInheritedFiles(): void {
  for (const descriptor of listDescriptors()) {
    if (descriptor <= LAST_STANDARD || !isPassedOn(descriptor)) continue;
    try {
      closeSync(descriptor);
    } catch {
      // It was closed in the meantime.
    }
  }
}

function listDescriptors(): number[] {
  try {
    return readdirSync("/proc/self/fd").map(Number);
  } catch {
    return [];
  }
}

function isPassedOn(descriptor: number): boolean {
  try {
    const flags = /^flags:\s+([0-7]+)$/m.exec(readFileSync(`/proc/self/fdinfo/${descriptor}`, "latin1"))?.[1];
    return flags !== undefined && (Number.parseInt(flags, 8) & CLOSE_ON_EXEC) === 0;
  } catch {
    return false;
  }
}
