import { defaultRangeExtractor, useWindowVirtualizer } from "@tanstack/react-virtual";
import { type RefObject, useEffect, useRef, useState } from "react";
import type { DiffRow } from "./diff-rows.ts";
import { FileHead } from "./file-head.tsx";
import { LineRow } from "./line-row.tsx";
import type { PatchFile } from "./patch-files.ts";
import styles from "./patch-rows.module.css";

/** What stands in a row: the name of a file, or something of it. */
export type PatchRow =
  | { kind: "head"; file: PatchFile; isOpen: boolean; isSeen: boolean }
  | (DiffRow & { isLast: boolean });

interface PatchRowsProps {
  rows: readonly PatchRow[];
  onFold: (place: number) => void;
  onSeen: (place: number, isSeen: boolean) => void;
}

const HEAD_HEIGHT = 52;
const LINE_HEIGHT = 20;
/** Rows above and below the window. */
const OVERSCAN = 12;
/** The names of so many files are in the page wherever it is scrolled to, for who goes through them with a key. */
const MAX_HEADS = 200;

/** The rows of all files, of which only those in view are in the page. It is the window that scrolls. */
export function PatchRows({ rows, onFold, onSeen }: PatchRowsProps) {
  const list = useRef<HTMLDivElement>(null);
  const scrollMargin = useDistanceFromTop(list);
  const heads = rows.flatMap(({ kind }, place) => (kind === "head" ? [place] : []));
  const virtualizer = useWindowVirtualizer({
    count: rows.length,
    estimateSize: (place) => (rows[place]?.kind === "head" ? HEAD_HEIGHT : LINE_HEIGHT),
    getItemKey: (place) => keyOf(rows[place], place),
    overscan: OVERSCAN,
    scrollMargin,
    rangeExtractor: (range) => {
      const inView = defaultRangeExtractor(range);
      return heads.length > MAX_HEADS ? inView : [...new Set([...heads, ...inView])].sort((a, b) => a - b);
    },
  });
  return (
    <div ref={list} className={styles.rows} style={{ height: virtualizer.getTotalSize() }}>
      {virtualizer.getVirtualItems().map(({ index, key, start }) => {
        const row = rows[index];
        return (
          <div
            key={key}
            data-index={index}
            ref={virtualizer.measureElement}
            className={styles.row}
            style={{ transform: `translateY(${start - scrollMargin}px)` }}
          >
            {row?.kind === "head" && (
              <FileHead
                {...row}
                onFold={() => onFold(row.file.place)}
                onSeen={(isSeen) => onSeen(row.file.place, isSeen)}
              />
            )}
            {row && row.kind !== "head" && <LineRow row={row} isLast={row.isLast} />}
          </div>
        );
      })}
    </div>
  );
}

/** The heights that were measured stay with their rows when a file above is folded. */
function keyOf(row: PatchRow | undefined, place: number): string | number {
  return row?.kind === "head" ? `file ${row.file.place}` : place;
}

/** How far below the top of the page something begins, which changes when more is shown above it. */
function useDistanceFromTop(part: RefObject<HTMLElement | null>): number {
  const [distance, setDistance] = useState(0);
  useEffect(() => {
    const look = () => {
      if (part.current) setDistance(Math.round(part.current.getBoundingClientRect().top + window.scrollY));
    };
    look();
    const observer = new ResizeObserver(look);
    observer.observe(document.body);
    return () => observer.disconnect();
  }, [part]);
  return distance;
}
