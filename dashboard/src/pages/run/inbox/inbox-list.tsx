import { Link } from "wouter";
import { type Item, KINDS } from "../../../parts/inbox-items.ts";
import { RelativeTime } from "../../../parts/time/relative-time.tsx";
import styles from "./inbox-list.module.css";

interface InboxListProps {
  items: readonly Item[];
  selected: string | undefined;
  /** Opens the item that is shown. */
  onOpen: () => void;
}

/** All items, newest first. A row shows its item, and opens it when it is shown already. */
export function InboxList({ items, selected, onOpen }: InboxListProps) {
  return (
    <ul className={styles.list} aria-label="What waits for you">
      {items.map((item) => (
        <li key={item.id}>
          <Link
            href={inboxAddress(item)}
            replace
            id={rowId(item)}
            className={styles.row}
            aria-current={item.id === selected ? "true" : undefined}
            onClick={(event) => {
              if (item.id !== selected || event.detail > 0) return;
              // Enter, on the row whose item is shown: wouter follows no link whose click is prevented.
              event.preventDefault();
              onOpen();
            }}
          >
            <Row item={item} />
          </Link>
        </li>
      ))}
    </ul>
  );
}

function Row({ item: { kind, title, since, detail, factory, urgency } }: { item: Item }) {
  const { icon: Icon, tone, word } = KINDS[kind];
  return (
    <>
      <Icon size={16} aria-hidden className={styles[tone]} />
      <strong className={styles.title}>{title}</strong>
      <span className={styles.age}>
        <RelativeTime at={since} />
      </span>
      <span className={styles.detail}>{detail}</span>
      <span className={styles.about}>
        {[urgency === "high" ? "Urgent" : word, factory].filter(Boolean).join(" · ")}
      </span>
    </>
  );
}

export function inboxAddress({ id }: Item): string {
  return `/inbox?${new URLSearchParams({ item: id })}`;
}

export function rowId({ id }: Item): string {
  return `inbox ${id}`;
}
