import { useQuery } from "@tanstack/react-query";
import { ChevronDown, ChevronUp } from "lucide-react";
import { useEffect, useRef } from "react";
import { Link, useLocation, useSearchParams } from "wouter";
import { inboxQuery } from "../../../api/queries.ts";
import { hasWindowOpen } from "../../../frame/use-shortcuts.ts";
import { Button } from "../../../parts/button.tsx";
import { type Item, pageOfItem } from "../../../parts/inbox-items.ts";
import { Page } from "../../../parts/page.tsx";
import { EmptyState } from "../../../parts/tables/empty-state.tsx";
import { Loaded } from "../../../parts/tables/loaded.tsx";
import { useNarrow } from "../../../parts/use-narrow.ts";
import { usePageKeys } from "../review/use-page-keys.ts";
import styles from "./inbox.module.css";
import { InboxItem } from "./inbox-item.tsx";
import { InboxList, inboxAddress, rowId } from "./inbox-list.tsx";

/** What waits for a person: the list, and next to it one of them with all that it takes to settle it. */
export function Inbox() {
  const query = useQuery(inboxQuery);
  return (
    <Loaded query={query} rows={6} title="Inbox">
      {(items) => (items.length === 0 ? <Empty /> : <Items items={items} />)}
    </Loaded>
  );
}

function Empty() {
  return (
    <Page title="Inbox">
      <EmptyState title="Nothing waits for you" command="millrace inbox">
        Questions of agents appear here, as do revisions that could not be applied, senders that are refused,
        and runs that wait for a used-up budget or for the provider of their model. In a terminal, this
        command lists them:
      </EmptyState>
    </Page>
  );
}

/** On a phone, either the list or one of its items. */
function Items({ items }: { items: readonly Item[] }) {
  const [search] = useSearchParams();
  const [, navigate] = useLocation();
  const isNarrow = useNarrow();
  const chosen = search.get("item");
  const place = usePlace(items, chosen);
  const item = isNarrow && chosen === null ? undefined : items[place];
  const move = (by: number) => {
    const next = items[place + by];
    if (!next) return;
    navigate(inboxAddress(next), { replace: true });
    document.getElementById(rowId(next))?.focus();
  };
  const open = () => item && navigate(pageOfItem(item));
  usePageKeys({ j: () => move(1), k: () => move(-1), e: open });
  useEnter(open);
  return (
    <Page
      title="Inbox"
      mark={<span className={styles.count}>{items.length} open</span>}
      actions={item && <Steps place={place} count={items.length} onMove={move} />}
    >
      <div className={styles.split}>
        {(!isNarrow || !item) && <InboxList items={items} selected={item?.id} onOpen={open} />}
        {item && (
          <div className={styles.pane}>
            {isNarrow && <Link href="/inbox">All items</Link>}
            <InboxItem key={item.id} item={item} />
          </div>
        )}
      </div>
    </Page>
  );
}

/** Where the chosen item is. One that is settled makes room for the one after it. */
function usePlace(items: readonly Item[], chosen: string | null): number {
  const last = useRef(0);
  const found = items.findIndex(({ id }) => id === chosen);
  const place = chosen === null ? 0 : found >= 0 ? found : Math.min(last.current, items.length - 1);
  useEffect(() => {
    last.current = place;
  });
  return place;
}

interface StepsProps {
  place: number;
  count: number;
  onMove: (by: number) => void;
}

function Steps({ place, count, onMove }: StepsProps) {
  return (
    <>
      <span className={styles.count}>
        {place + 1} of {count}
      </span>
      <Button aria-label="Previous item" isDisabled={place === 0} onPress={() => onMove(-1)}>
        <ChevronUp size={16} aria-hidden />
      </Button>
      <Button aria-label="Next item" isDisabled={place === count - 1} onPress={() => onMove(1)}>
        <ChevronDown size={16} aria-hidden />
      </Button>
    </>
  );
}

/** Enter opens what is shown, where it does nothing else: on the page itself, not on a button or a link. */
function useEnter(open: () => void): void {
  const current = useRef(open);
  useEffect(() => {
    current.current = open;
  });
  useEffect(() => {
    const listen = (event: KeyboardEvent) => {
      const isOnPage = event.target === document.body || (event.target as Element | null)?.id === "content";
      if (event.key === "Enter" && isOnPage && !event.defaultPrevented && !hasWindowOpen()) current.current();
    };
    document.addEventListener("keydown", listen);
    return () => document.removeEventListener("keydown", listen);
  }, []);
}
