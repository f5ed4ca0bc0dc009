import type { Choice } from "./matching.ts";

const MAX_RECENT = 6;
/** Of the tab and of the key: nothing of it is there for whoever signs in next. */
const keyOf = (keyId: string) => `millrace-recent-${keyId}`;

type Recent = Pick<Choice, "id" | "name" | "note" | "href">;

/** Where someone went before from here, the last first. */
export function recentChoices(keyId: string): Choice[] {
  try {
    const recent: Recent[] = JSON.parse(sessionStorage.getItem(keyOf(keyId)) ?? "[]");
    return recent.map((each) => ({ ...each, id: `recent ${each.id}`, group: "Recent" }));
  } catch {
    return [];
  }
}

/** Remembers where someone went. What is done, rather than gone to, is not remembered. */
export function rememberChoice(keyId: string, { id, name, note, href }: Choice): void {
  if (href === undefined) return;
  const bare = id.replace(/^(recent )+/, "");
  const before = recentChoices(keyId).map((each) => ({ ...each, id: each.id.replace(/^recent /, "") }));
  const recent = [{ id: bare, name, note, href }, ...before.filter((each) => each.id !== bare)];
  sessionStorage.setItem(keyOf(keyId), JSON.stringify(recent.slice(0, MAX_RECENT)));
}
