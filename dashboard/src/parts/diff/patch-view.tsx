import { useState } from "react";
import { counted } from "../counted.ts";
import { Switcher } from "../switcher.tsx";
import { useNarrow } from "../use-narrow.ts";
import { Counts } from "./counts.tsx";
import { type DiffView, rowsOf } from "./diff-rows.ts";
import type { Patch, PatchFile } from "./patch-files.ts";
import { type PatchRow, PatchRows } from "./patch-rows.tsx";
import styles from "./patch-view.module.css";
import { useSeenFiles } from "./seen-files.ts";

const VIEWS = [
  { value: "unified", label: "Unified" },
  { value: "split", label: "Split" },
] as const;

/** Files are open at first until so many lines are shown. */
const MAX_OPEN_LINES = 2_000;

/** What a patch changes, file by file. @param sha256 of the patch @param href where it is downloaded */
export function PatchView({ patch, sha256, name, href }: PatchViewProps) {
  const isNarrow = useNarrow();
  const [asked, setView] = useState<string>("unified");
  const view: DiffView = isNarrow || asked !== "split" ? "unified" : "split";
  const { isSeen, mark } = useSeenFiles(sha256);
  const [folds, setFolds] = useState<ReadonlyMap<number, boolean>>(new Map());
  const openAtFirst = filesOpenAtFirst(patch.files);
  const isOpen = (place: number) => folds.get(place) ?? (openAtFirst.has(place) && !isSeen(place));
  const fold = (place: number, open: boolean) => setFolds(new Map(folds).set(place, open));
  const rows = patch.files.flatMap((file): PatchRow[] => {
    const head: PatchRow = { kind: "head", file, isOpen: isOpen(file.place), isSeen: isSeen(file.place) };
    return [head, ...(head.isOpen ? drawn(file, view) : [])];
  });
  const seen = patch.files.filter(({ place }) => isSeen(place)).length;
  return (
    <div className={styles.patch}>
      <div className={styles.bar}>
        <h2>{counted(patch.files.length + patch.unread, "file")} changed</h2>
        <Counts {...patch} />
        {seen > 0 && (
          <span className={styles.muted}>
            {seen} of {patch.files.length} seen
          </span>
        )}
        <span className={styles.tools}>
          {!isNarrow && <Switcher label="Show changes" value={view} onChange={setView} options={VIEWS} />}
          <a href={href} download={name}>
            Download
          </a>
        </span>
      </div>
      <PatchRows
        rows={rows}
        onFold={(place) => fold(place, !isOpen(place))}
        onSeen={(place, isNow) => {
          mark(place, isNow);
          fold(place, !isNow);
        }}
      />
      {patch.unread > 0 && (
        <p className={styles.muted}>
          {counted(patch.unread, "more file")} in the patch, which can be downloaded.
        </p>
      )}
    </div>
  );
}

interface PatchViewProps {
  patch: Patch;
  sha256: string;
  name: string;
  href: string;
}

function filesOpenAtFirst(files: readonly PatchFile[]): ReadonlySet<number> {
  const open = new Set<number>();
  let lines = 0;
  for (const { place, content } of files) {
    if (content.kind === "hunks") for (const hunk of content.hunks) lines += hunk.lines.length;
    if (content.kind === "text") lines += content.lines.length;
    if (lines > MAX_OPEN_LINES && open.size > 0) break;
    open.add(place);
  }
  return open;
}

/** The rows of files that are open, which are the same for as long as the patch is shown. */
const known = new WeakMap<PatchFile, Partial<Record<DiffView, PatchRow[]>>>();

function drawn(file: PatchFile, view: DiffView): PatchRow[] {
  const ofFile = known.get(file) ?? {};
  known.set(file, ofFile);
  const rows = rowsOf(file, view);
  ofFile[view] ??= rows.map((row, place) => ({ ...row, isLast: place === rows.length - 1 }));
  return ofFile[view];
}
