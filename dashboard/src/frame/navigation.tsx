import { useQuery } from "@tanstack/react-query";
import { BookOpen, Keyboard } from "lucide-react";
import { Button } from "react-aria-components";
import { Link, useLocation } from "wouter";
import { BASE } from "../api/base.ts";
import { inboxQuery, whoamiQuery } from "../api/queries.ts";
import styles from "./navigation.module.css";
import { type Entry, entriesFor, isAt, type PageLink } from "./page-links.ts";
import { useFactory } from "./use-factory.ts";

/** What someone may go to, in the order of the side bar. */
export function useEntries(): Entry[] {
  const { factory } = useFactory();
  const { data: who } = useQuery(whoamiQuery);
  return entriesFor(who, factory);
}

/** The way to every entry. */
export function Navigation() {
  const [path] = useLocation();
  return (
    <nav className={styles.navigation} aria-label="Pages">
      <ul>
        {useEntries().map((entry) => (
          <li key={entry.name}>
            <EntryLink entry={entry} path={path} />
          </li>
        ))}
      </ul>
    </nav>
  );
}

/** How many things wait for a person; nothing when none does. */
function WaitingCount() {
  const { data: items = [] } = useQuery(inboxQuery);
  if (items.length === 0) return null;
  return (
    <>
      {" "}
      <span className={styles.count}>{items.length}</span>
    </>
  );
}

/** The entries that a phone shows below every page. */
export function PhoneNavigation({ children }: { children: React.ReactNode }) {
  const [path] = useLocation();
  return (
    <div className={styles.phone}>
      {useEntries()
        .slice(0, 4)
        .map((entry) => (
          <EntryLink key={entry.name} entry={entry} path={path} />
        ))}
      {children}
    </div>
  );
}

function EntryLink({ entry, path }: { entry: Entry; path: string }) {
  const { name, href, icon: Icon, rooms } = entry;
  const isHere = path === href && rooms.length === 0;
  const isBelow = [entry, ...rooms].some((page) => isAt(path, page));
  return (
    <Link
      href={href}
      className={isBelow ? styles.here : ""}
      aria-current={isHere ? "page" : isBelow ? "true" : undefined}
    >
      <Icon size={16} strokeWidth={1.75} aria-hidden />
      <span>{name}</span>
      {name === "Inbox" && <WaitingCount />}
    </Link>
  );
}

/** The other pages of the entry that this page belongs to; nothing where there is only one. */
export function Rooms() {
  const [path] = useLocation();
  const entry = useEntries().find(({ rooms }) => rooms.some((room) => isAt(path, room)));
  if (!entry || entry.rooms.length < 2) return null;
  return (
    <nav className={styles.rooms} aria-label={entry.name}>
      {entry.rooms.map((room) => (
        <RoomLink key={room.href} room={room} path={path} />
      ))}
    </nav>
  );
}

function RoomLink({ room, path }: { room: PageLink; path: string }) {
  const current = path === room.href ? "page" : isAt(path, room) ? "true" : undefined;
  return (
    <Link href={room.href} className={current ? styles.here : ""} aria-current={current}>
      {room.name}
    </Link>
  );
}

/** What stands below the entries: the documentation, and the keys of the keyboard. */
export function Help({ onKeys }: { onKeys: () => void }) {
  return (
    <div className={styles.help}>
      <a href={`${BASE}/docs`} target="_blank" rel="noreferrer">
        <BookOpen size={16} strokeWidth={1.75} aria-hidden />
        <span>Documentation</span>
      </a>
      <Button onPress={onKeys} aria-haspopup="dialog">
        <Keyboard size={16} strokeWidth={1.75} aria-hidden />
        <span>Keys</span>
        <kbd>?</kbd>
      </Button>
    </div>
  );
}
