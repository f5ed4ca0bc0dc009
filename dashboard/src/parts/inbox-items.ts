import { CircleAlert, CirclePause, CircleX, type LucideIcon } from "lucide-react";
import { BASE } from "../api/base.ts";
import type { Models } from "../api/models.ts";

export type Item = Models["InboxItem"];

interface Kind {
  /** What has happened, in a word or two. */
  word: string;
  tone: "amber" | "red";
  icon: LucideIcon;
  /** What leads to where it is settled. */
  open: string;
}

/** How items of each kind are shown: amber needs a person, and red has failed. */
export const KINDS: Readonly<Record<Item["kind"], Kind>> = {
  question: { word: "Needs an answer", tone: "amber", icon: CircleAlert, open: "Open the run" },
  apply_failed: { word: "Not in sync", tone: "red", icon: CircleX, open: "Open the revisions" },
  sender_refused: { word: "Sender refused", tone: "red", icon: CircleX, open: "Open the webhook" },
  budget: { word: "Budget used up", tone: "amber", icon: CircleAlert, open: "Open the budget" },
  held: { word: "Runs held", tone: "amber", icon: CirclePause, open: "Open the runs" },
};

/** The page of this dashboard where an item is settled; its address is that of the server, from outside. */
export function pageOfItem({ url }: Pick<Item, "url">): string {
  const { pathname, search } = new URL(url, location.href);
  return (pathname.startsWith(BASE) ? pathname.slice(BASE.length) : pathname) + search;
}
