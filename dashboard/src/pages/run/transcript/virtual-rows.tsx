import { useVirtualizer } from "@tanstack/react-virtual";
import { type ReactNode, useEffect, useRef } from "react";
import styles from "./transcript.module.css";

const LINE_HEIGHT = 21;
const STEP_HEIGHT = 42;
const OVERSCAN = 30;

interface VirtualRowsProps {
  /** What the rows are, for who does not see them. */
  label: string;
  count: number;
  /** Whether rows are lines of text. */
  isText: boolean;
  /** Whether a row stands out: a line of standard error. */
  isMarked: (place: number) => boolean;
  /** The row that a search or a jump has come to. */
  current: number | undefined;
  isFollowing: boolean;
  onScrollUp: () => void;
  children: (place: number) => ReactNode;
}

/** Any number of rows, of which only those in view are in the page. */
export function VirtualRows(props: VirtualRowsProps) {
  const { label, count, isText, isMarked, current, isFollowing, onScrollUp, children } = props;
  const frame = useRef<HTMLDivElement>(null);
  const virtualizer = useVirtualizer({
    count,
    getScrollElement: () => frame.current,
    estimateSize: () => (isText ? LINE_HEIGHT : STEP_HEIGHT),
    overscan: OVERSCAN,
  });
  // In a tab of the page that is not shown there is nothing to scroll.
  const isShown = (virtualizer.scrollRect?.height ?? 0) > 0;
  useEffect(() => {
    if (isShown && isFollowing && count > 0) virtualizer.scrollToIndex(count - 1, { align: "end" });
  }, [isShown, isFollowing, count, virtualizer]);
  useEffect(() => {
    if (isShown && current !== undefined) virtualizer.scrollToIndex(current, { align: "center" });
  }, [isShown, current, virtualizer]);
  return (
    <div
      className={isText ? styles.lines : styles.steps}
      ref={frame}
      role="log"
      aria-live="off"
      aria-label={label}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls has to be reached by keys
      tabIndex={0}
      onWheel={(event) => event.deltaY < 0 && onScrollUp()}
      onKeyDown={({ key }) => ["ArrowUp", "PageUp", "Home"].includes(key) && onScrollUp()}
      hidden={count === 0}
    >
      <div className={styles.all} style={{ height: virtualizer.getTotalSize() }}>
        {virtualizer.getVirtualItems().map(({ index, start }) => (
          <div
            key={index}
            data-index={index}
            ref={virtualizer.measureElement}
            className={[
              styles.line,
              isMarked(index) ? styles.error : "",
              index === current ? styles.current : "",
            ].join(" ")}
            style={{ transform: `translateY(${start}px)` }}
          >
            {children(index)}
          </div>
        ))}
      </div>
    </div>
  );
}
