import {
  ChartColumn,
  CirclePlay,
  Gauge,
  Inbox,
  type LucideIcon,
  SlidersHorizontal,
  SquareKanban,
  Webhook,
  Workflow,
} from "lucide-react";
import type { Models } from "../api/models.ts";
import { factoryPath } from "../parts/factory-path.ts";

/** A page that the navigation leads to. */
export interface PageLink {
  name: string;
  href: string;
  /** The letter that leads there after `g`; some pages have none. */
  key?: string;
  /** Where one more is written, or one is shown: it belongs to the list although it is not below its address. */
  belonging?: string;
}

/** An entry of the side bar. One with rooms leads to the first of them, and the others stand above their pages. */
export interface Entry extends PageLink {
  icon: LucideIcon;
  rooms: readonly PageLink[];
}

type Who = Models["Whoami"] | null | undefined;

/**
 * The entries that someone may see, in their order.
 * @param factory the one that pages of a factory are about
 */
export function entriesFor(who: Who, factory: Models["Factory"] | undefined): Entry[] {
  const ofFactory = (...rest: string[]) => factoryPath(factory?.name ?? "", ...rest);
  const definition = definitionRooms(factory);
  const settings = settingsRooms(who);
  return [
    { name: "Overview", href: "/", key: "o", icon: Gauge, rooms: [] },
    { name: "Inbox", href: "/inbox", key: "i", icon: Inbox, rooms: [] },
    { name: "Runs", href: "/runs", key: "r", icon: CirclePlay, rooms: [] },
    { name: "Deliveries", href: "/deliveries", key: "d", icon: Webhook, rooms: [] },
    ...(factory
      ? [
          {
            name: "Board",
            href: ofFactory("board"),
            key: "b",
            belonging: ofFactory("tasks"),
            icon: SquareKanban,
            rooms: [],
          },
        ]
      : []),
    {
      name: "Definition",
      href: definition[0]?.href ?? "/agents",
      key: "f",
      icon: Workflow,
      rooms: definition,
    },
    { name: "Usage", href: "/usage", key: "u", icon: ChartColumn, rooms: [] },
    {
      name: "Settings",
      href: settings[0]?.href ?? "/secrets",
      key: "s",
      icon: SlidersHorizontal,
      rooms: settings,
    },
  ];
}

/** What the files of a factory say, and where they come from. */
function definitionRooms(factory: Models["Factory"] | undefined): PageLink[] {
  const ofFactory = (...rest: string[]) => factoryPath(factory?.name ?? "", ...rest);
  const agents = { name: "Agents", href: "/agents", key: "t" };
  const schedules = { name: "Schedules", href: "/schedules" };
  if (!factory) return [agents, schedules];
  return [
    { name: "Automations", href: ofFactory("automations"), key: "a", belonging: ofFactory("new-automation") },
    { name: "Webhooks", href: ofFactory("webhooks"), key: "w", belonging: ofFactory("outbound") },
    agents,
    schedules,
    { name: "Runners", href: ofFactory("runners") },
    { name: "Files", href: ofFactory("files"), belonging: ofFactory("new-file") },
    { name: "Revisions", href: ofFactory("revisions"), key: "v" },
  ];
}

/** How the server is set up. A key of one factory sees what belongs to its factory. */
function settingsRooms(who: Who): PageLink[] {
  const seesServer = who?.factories === null;
  const isAdmin = seesServer && who.role === "admin";
  return [
    ...(isAdmin ? [{ name: "Server", href: "/settings" }] : []),
    { name: "Secrets", href: "/secrets", key: "c" },
    ...(seesServer
      ? [
          { name: "Environments", href: "/environments", key: "e" },
          { name: "Workers", href: "/workers", key: "m" },
          { name: "Servers", href: "/servers", key: "h" },
        ]
      : []),
    { name: "Notifications", href: "/notifications", key: "n" },
    ...(seesServer ? [{ name: "Outbound", href: "/outbound", key: "x" }] : []),
    ...(isAdmin
      ? [
          { name: "Keys", href: "/keys", key: "k" },
          { name: "Audit log", href: "/audit-log", key: "l" },
        ]
      : []),
  ];
}

/** Every page, in the order of the navigation. */
export function allPageLinks(entries: readonly Entry[]): PageLink[] {
  return entries.flatMap((entry) => [entry, ...entry.rooms]);
}

/** Whether an address is that of a page, or of something below it. */
export function isAt(path: string, { href, belonging }: PageLink): boolean {
  if (path === href || path === belonging) return true;
  return href !== "/" && [href, belonging].some((each) => path.startsWith(`${each}/`));
}
