/** Something that someone can go to, or do. */
export interface Choice {
  /** What tells it from all others. */
  id: string;
  /** The heading that it stands under. */
  group: string;
  name: string;
  /** What tells it from others of its name. */
  note?: string;
  href?: string;
  run?: () => void;
}

/** So many of a group are shown: whoever looks for another writes more of it. */
const MAX_OF_GROUP = 6;

/** The choices that have every word of a text, the best of each group first. */
export function matching(choices: readonly Choice[], text: string): Choice[] {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean);
  const ranked = choices
    .map((choice) => ({ choice, rank: rankOf(choice, words) }))
    .filter(({ rank }) => rank > 0)
    .sort((a, b) => b.rank - a.rank);
  const taken = new Map<string, number>();
  const shown = ranked.filter(({ choice: { group } }) => {
    taken.set(group, (taken.get(group) ?? 0) + 1);
    return (taken.get(group) ?? 0) <= MAX_OF_GROUP;
  });
  const groups = [...new Set(shown.map(({ choice: { group } }) => group))];
  return groups.flatMap((group) =>
    shown.filter(({ choice }) => choice.group === group).map(({ choice }) => choice),
  );
}

function rankOf({ name, note = "", group }: Choice, words: readonly string[]): number {
  const own = name.toLowerCase();
  const all = `${own} ${note.toLowerCase()} ${group.toLowerCase()}`;
  if (!words.every((word) => all.includes(word))) return 0;
  const [first = ""] = words;
  if (own === words.join(" ")) return 4;
  if (own.startsWith(first)) return 3;
  return own.includes(first) ? 2 : 1;
}

/** When ids that begin with a text were made, as instants; nothing for what is no such text, or too short to tell. */
export function timesOfIds(text: string): { since: string; until: string } | undefined {
  if (!/^[0-9a-f]{8}(-|$)[0-9a-f-]*$/i.test(text)) return undefined;
  const time = text.replaceAll("-", "").slice(0, 12);
  const instant = (fill: string) => Number.parseInt(time.padEnd(12, fill), 16);
  const [since, until] = [instant("0") - TOLERANCE_MS, instant("f") + TOLERANCE_MS];
  if (since < FIRST_IDS || until > LAST_IDS) return undefined;
  return { since: new Date(since).toISOString(), until: new Date(until).toISOString() };
}

/** What has an id may have its time from a moment later. */
const TOLERANCE_MS = 5;
/** No id is older, and a text that would be of the far future is none. */
const FIRST_IDS = Date.parse("2020-01-01");
const LAST_IDS = Date.parse("2100-01-01");
