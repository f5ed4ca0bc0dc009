import type { SentEvent } from "./notification.ts";

/** What a notification says, whatever it is sent as. Texts are bounded, and free of control characters. */
export interface NotificationContent {
  event: SentEvent;
  at: string;
  /** One line. */
  summary: string;
  /** The page that tells more. */
  url: string;
  factory: { uid: string; name: string } | null;
  run?: {
    id: string;
    title: string;
    state: string;
    automation: string | null;
    agent: string | null;
  };
  webhook?: { uid: string; name: string };
  revision?: string;
  /** The limit that is used up. */
  budget?: { of: "factory" | "agent" | "automation"; name: string; limit: string; most: number };
  /** What an agent asks, or why something failed: text of others. */
  detail?: string;
}

const MAX_LINE = 200;
const MAX_DETAIL = 1_500;

/** Also what turns the direction of writing, with which a text looks like another. */
const UNSEEN = /[^\P{Cc}\n]|[\u200b-\u200f\u2028-\u202e\u2060-\u2064\u2066-\u206f\ufeff]/gu;

/** A text of others as one line of bounded length. */
export function line(text: string): string {
  return cut(text.replace(/\s+/g, " ").replace(UNSEEN, "").trim(), MAX_LINE);
}

/** A text of others with its lines, of bounded length. */
export function detail(text: string): string {
  return cut(text.replace(/\r\n?/g, "\n").replace(/\t/g, " ").replace(UNSEEN, "").trim(), MAX_DETAIL);
}

function cut(text: string, most: number): string {
  if (text.length <= most) return text;
  // Half a character is none.
  return `${text.slice(0, most - 1).replace(/[\ud800-\udbff]$/, "")}…`;
}
