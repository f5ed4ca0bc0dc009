import type { PatchFile } from "./patch-files.ts";

/** A line of a file, before or after a change. */
export interface DiffLine {
  sign: " " | "+" | "-";
  text: string;
  before?: number;
  after?: number;
  /** The line that it has replaced, or that has replaced it. */
  pair?: DiffLine;
}

/** What stands in one row of a file that is drawn. */
export type DiffRow =
  | { kind: "line"; line: DiffLine }
  | { kind: "both"; left: DiffLine | undefined; right: DiffLine | undefined }
  /** Says what is between two rows, or what is not drawn. */
  | { kind: "note"; text: string };

export type DiffView = "unified" | "split";

const NOT_DRAWN = {
  binary: "A binary file, which is not shown.",
  empty: "No line was changed.",
} as const;

/** The rows of a file. */
export function rowsOf({ content }: PatchFile, view: DiffView): DiffRow[] {
  switch (content.kind) {
    case "binary":
      return [{ kind: "note", text: NOT_DRAWN.binary }];
    case "huge":
      return [
        {
          kind: "note",
          text: `Too large to be shown: ${content.lines.toLocaleString()} lines. Download it.`,
        },
      ];
    case "text":
      return content.lines.map((text) => ({ kind: "line", line: { sign: " ", text } }));
    case "hunks":
      if (content.hunks.length === 0) return [{ kind: "note", text: NOT_DRAWN.empty }];
      return hunkRows(content.hunks, view);
  }
}

type Hunks = Extract<PatchFile["content"], { kind: "hunks" }>["hunks"];

function hunkRows(hunks: Hunks, view: DiffView): DiffRow[] {
  const rows: DiffRow[] = [];
  let end = 1;
  for (const { oldStart, oldLines, newStart, lines } of hunks) {
    const hidden = oldStart - end;
    if (hidden > 0) {
      rows.push({
        kind: "note",
        text: `${hidden.toLocaleString()} unchanged ${hidden === 1 ? "line" : "lines"}`,
      });
    }
    end = oldStart + oldLines;
    addHunk(rows, linesOf(lines, oldStart, newStart), view);
  }
  return rows;
}

/** Numbers the lines of a hunk; what says that a file ends without a line end has none. */
function linesOf(lines: readonly string[], oldStart: number, newStart: number): (DiffLine | string)[] {
  let before = oldStart;
  let after = newStart;
  return lines.map((line) => {
    const text = line.slice(1);
    if (line[0] === "+") return { sign: "+", text, after: after++ };
    if (line[0] === "-") return { sign: "-", text, before: before++ };
    if (line[0] === "\\") return "No line end at the end of the file";
    return { sign: " ", text, before: before++, after: after++ };
  });
}

function addHunk(rows: DiffRow[], lines: readonly (DiffLine | string)[], view: DiffView): void {
  for (let place = 0; place < lines.length; ) {
    const line = lines[place];
    if (line === undefined || typeof line === "string" || line.sign === " ") {
      if (typeof line === "string") rows.push({ kind: "note", text: line });
      else if (line)
        rows.push(view === "split" ? { kind: "both", left: line, right: line } : { kind: "line", line });
      place += 1;
      continue;
    }
    const removed = runOf(lines, place, "-");
    const added = runOf(lines, place + removed.length, "+");
    addChange(rows, removed, added, view);
    place += removed.length + added.length;
  }
}

function runOf(lines: readonly (DiffLine | string)[], from: number, sign: "+" | "-"): DiffLine[] {
  const run: DiffLine[] = [];
  for (let place = from; ; place += 1) {
    const line = lines[place];
    if (line === undefined || typeof line === "string" || line.sign !== sign) return run;
    run.push(line);
  }
}

/** Lines with the same place among those removed and those added are taken for one line that changed. */
function addChange(rows: DiffRow[], removed: DiffLine[], added: DiffLine[], view: DiffView): void {
  for (const [place, left] of removed.entries()) {
    const right = added[place];
    if (!right) break;
    left.pair = right;
    right.pair = left;
  }
  if (view === "unified") {
    for (const line of [...removed, ...added]) rows.push({ kind: "line", line });
    return;
  }
  for (let place = 0; place < Math.max(removed.length, added.length); place += 1)
    rows.push({ kind: "both", left: removed[place], right: added[place] });
}
