import { useQuery } from "@tanstack/react-query";
import { inboxQuery, whoamiQuery } from "../../api/queries.ts";
import type { Tone } from "../../parts/chip.tsx";
import { type Item, KINDS, pageOfItem } from "../../parts/inbox-items.ts";

/** Something that waits for a person. */
export interface Need {
  href: string;
  tone: Tone;
  word: string;
  text: string;
  /** What an agent asks, or what has happened. */
  question?: string;
  /** Since when it waits. */
  since?: string;
}

/** What waits for a person in any factory: agents that ask something first, the urgent ones before all others. */
export function useNeeds(): Need[] {
  const { data: items = [] } = useQuery(inboxQuery);
  const { data: who } = useQuery(whoamiQuery);
  return [
    ...items.toSorted((one, other) => rankOf(one) - rankOf(other)).map(needOf),
    ...(who?.server_notices ?? []).map(serverNotice),
  ];
}

function rankOf({ kind, urgency }: Item): number {
  return kind === "question" ? ["high", "normal", "low"].indexOf(urgency ?? "normal") : 3;
}

function needOf(item: Item): Need {
  const { kind, title, detail, since, urgency } = item;
  const isUrgent = urgency === "high";
  return {
    href: pageOfItem(item),
    tone: isUrgent ? "red" : KINDS[kind].tone,
    word: isUrgent ? "Urgent" : KINDS[kind].word,
    text: title,
    question: detail,
    since,
  };
}

function serverNotice(text: string): Need {
  return { href: "/settings", tone: "amber", word: "Settings", text };
}
