import { readFileSync } from "node:fs";

/**
 * What the kernel counts for each user, in whatever namespace its processes are, and what a run may take of it: a small part of what
 * a user has by default, and more than programs need.
 */
const COUNTED = [
  { option: "msgqueue", name: "Max msgqueue size", most: 256 * 1024 },
  { option: "sigpending", name: "Max pending signals", most: 4_096 },
  { option: "memlock", name: "Max locked memory", most: 1024 * 1024 },
] as const;

/**
 * The options of prlimit that bound it.
 * @param limits those of this process, as the kernel tells them: nobody but the superuser may raise one
 */
export function countedLimits(limits: string = ownLimits()): string[] {
  return COUNTED.flatMap(({ option, name, most }) => {
    const [, soft, hard] = new RegExp(`^${name}\\s+(\\S+)\\s+(\\S+)`, "m").exec(limits) ?? [];
    if (soft === undefined || hard === undefined) return [];
    const bounded = (limit: string) => (limit === "unlimited" ? most : Math.min(Number(limit), most));
    return [`--${option}=${bounded(soft)}:${bounded(hard)}`];
  });
}

/** Nothing where the system does not tell them. */
function ownLimits(): string {
  try {
    return readFileSync("/proc/self/limits", "utf8");
  } catch {
    return "";
  }
}
