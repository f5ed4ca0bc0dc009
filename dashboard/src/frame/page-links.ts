import type { Models } from "../api/models.ts";
import { factoryPath } from "../parts/factory-path.ts";

/** A page that the navigation leads to. */
export interface PageLink {
  name: string;
  href: string;
  /** The letter that leads there after `g`. */
  key: string;
  /** Where one more is written, or one is shown: it belongs to the list although it is not below its address. */
  belonging?: string;
}

/** The pages of the navigation, in its groups. */
export interface PageGroups {
  work: PageLink[];
  /** Those of one factory. */
  factory: PageLink[];
  server: PageLink[];
  administration: PageLink[];
}

/** What someone may see. @param factory the one that pages of a factory are about */
export function pageLinks(
  who: Models["Whoami"] | null | undefined,
  factory: Models["Factory"] | undefined,
): PageGroups {
  const seesServer = who?.factories === null;
  const isAdmin = seesServer && who.role === "admin";
  const ofFactory = (...rest: string[]) => factoryPath(factory?.name ?? "", ...rest);
  return {
    work: [
      { name: "Overview", href: "/", key: "o" },
      { name: "Deliveries", href: "/deliveries", key: "d" },
      { name: "Runs", href: "/runs", key: "r" },
      { name: "Usage", href: "/usage", key: "p" },
    ],
    factory: factory
      ? [
          { name: "Board", href: ofFactory("board"), key: "b", belonging: ofFactory("tasks") },
          { name: "Webhooks", href: ofFactory("webhooks"), key: "w", belonging: ofFactory("outbound") },
          {
            name: "Automations",
            href: ofFactory("automations"),
            key: "a",
            belonging: ofFactory("new-automation"),
          },
          { name: "Revisions", href: ofFactory("revisions"), key: "v" },
          { name: "Files", href: ofFactory("files"), key: "f", belonging: ofFactory("new-file") },
          { name: "Runners", href: ofFactory("runners"), key: "u" },
        ]
      : [],
    server: [
      { name: "Agents", href: "/agents", key: "t" },
      { name: "Schedules", href: "/schedules", key: "s" },
      ...(seesServer
        ? [
            { name: "Environments", href: "/environments", key: "e" },
            { name: "Workers", href: "/workers", key: "m" },
            { name: "Servers", href: "/servers", key: "h" },
          ]
        : []),
      { name: "Secrets", href: "/secrets", key: "c" },
      { name: "Notifications", href: "/notifications", key: "n" },
      ...(seesServer ? [{ name: "Outbound", href: "/outbound", key: "x" }] : []),
    ],
    administration: isAdmin
      ? [
          { name: "Keys", href: "/keys", key: "k" },
          { name: "Audit log", href: "/audit-log", key: "l" },
          { name: "Settings", href: "/settings", key: "i" },
        ]
      : [],
  };
}

/** All of them, in the order of the navigation. */
export function allPageLinks(groups: PageGroups): PageLink[] {
  return [...groups.work, ...groups.factory, ...groups.server, ...groups.administration];
}
