/** Hears of work that was done, in steps that each take about as long as any other. */
export type OnSteps = (steps: number) => void;

/** Whether a text fits a pattern. */
export type Glob = (text: string, onSteps?: OnSteps) => boolean;

export interface GlobOptions {
  /** Whether a pattern that fits a folder fits all that lies below it too. */
  takesBelow?: boolean;
}

/** Whether a pattern has anything but characters that stand for themselves. */
export function isGlob(pattern: string): boolean {
  return pattern.includes("*");
}

/**
 * A pattern as authors write it: `*` stands for anything but `/`, `**` for anything, and `**` with a `/` behind it also for
 * nothing. All ways in which a text can match are followed side by side, so the time grows with the text times the pattern
 * and no faster: a regular expression tries them one after the other, for which the right text can keep it busy for years.
 */
export function compileGlob(pattern: string, { takesBelow = false }: GlobOptions = {}): Glob {
  const [prefix = ""] = pattern.split("*", 1);
  const { states, starts } = automatonOf(pattern.slice(prefix.length));
  /** The character at which a state was reached last, so that none is followed twice from one place. */
  const reachedAt = new Int32Array(states.length);
  return (text, onSteps) => {
    if (!text.startsWith(prefix)) return false;
    reachedAt.fill(-1);
    let reached: number[] = [...starts];
    for (let at = prefix.length; at < text.length; at += 1) {
      const character = text.charCodeAt(at);
      if (takesBelow && character === SLASH && reached.includes(END)) return true;
      const next: number[] = [];
      for (const from of reached) {
        for (const to of follow(states[from], character)) {
          if (reachedAt[to] === at) continue;
          reachedAt[to] = at;
          next.push(to);
        }
      }
      onSteps?.(reached.length);
      if (next.length === 0) return false;
      reached = next;
    }
    return reached.includes(END);
  };
}

const END = 0;
const SLASH = "/".charCodeAt(0);
const NONE: readonly number[] = [];

/** One place in a pattern. It leads on to the places behind it, and a wildcard also to itself. */
interface State {
  /** The character that it stands for, as a code unit; or what of all characters. */
  takes: number | "anything" | "in a name" | "whole folders" | "nothing";
  after: readonly number[];
  /** Itself and what is behind it: what follows while a wildcard goes on. */
  onward: readonly number[];
  itself: readonly number[];
}

function follow(state: State | undefined, character: number): readonly number[] {
  switch (state?.takes) {
    case "anything":
      return state.onward;
    case "in a name":
      return character === SLASH ? NONE : state.onward;
    case "whole folders":
      return character === SLASH ? state.onward : state.itself;
    default:
      return state?.takes === character ? state.after : NONE;
  }
}

const WILDCARDS: Readonly<Record<string, State["takes"]>> = {
  "*": "in a name",
  "**": "anything",
  "**/": "whole folders",
};

/** Built from the end, so that what a state leads to is known: a wildcard may stand for nothing, and is passed at once. */
function automatonOf(pattern: string): { states: State[]; starts: readonly number[] } {
  const states: State[] = [{ takes: "nothing", after: NONE, onward: NONE, itself: NONE }];
  let starts: readonly number[] = [END];
  for (const part of partsOf(pattern).reverse()) {
    const own = states.length;
    const onward = [own, ...starts];
    const takes = WILDCARDS[part];
    states.push({ takes: takes ?? part.charCodeAt(0), after: starts, onward, itself: [own] });
    starts = takes === undefined ? [own] : onward;
  }
  return { states, starts };
}

/** Wildcards and single characters. A wildcard beside one that stands for all that it does adds nothing. */
function partsOf(pattern: string): string[] {
  const parts: string[] = [];
  for (const [part] of pattern.matchAll(/\*\*\/?|[\s\S]/g)) {
    const last = parts.at(-1);
    const isWild = part.startsWith("*");
    if (isWild && (last === part || last === "**")) continue;
    while (part === "**" && parts.at(-1)?.startsWith("*")) parts.pop();
    parts.push(part);
  }
  return parts;
}
