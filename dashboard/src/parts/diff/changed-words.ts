import { diffWordsWithSpace } from "diff";
import type { DiffLine } from "./diff-rows.ts";

/** Longer lines are shown without their words compared. */
const MAX_LENGTH = 1_000;
/** Lines with more differences have nothing to do with each other. */
const MAX_EDITS = 80;
/** So much of the longer line has to be the same: what is new altogether is not marked word by word. */
const MIN_SAME = 0.3;

export interface Words {
  text: string;
  isChanged: boolean;
}

/** Of each line that was looked at: lines come into view again and again. */
const known = new WeakMap<DiffLine, Words[]>();

/** A line in parts: those that are in its pair as well, and those that are not. */
export function changedWords(line: DiffLine): Words[] {
  const found = known.get(line) ?? compare(line);
  known.set(line, found);
  return found;
}

function compare(line: DiffLine): Words[] {
  const whole = [{ text: line.text, isChanged: false }];
  const { pair } = line;
  if (!pair || line.text.length > MAX_LENGTH || pair.text.length > MAX_LENGTH) return whole;
  const changes = diffWordsWithSpace(pair.text, line.text, { maxEditLength: MAX_EDITS });
  if (!changes) return whole;
  const same = changes.reduce(
    (sum, { added, removed, value }) => sum + (added || removed ? 0 : value.length),
    0,
  );
  if (same < MIN_SAME * Math.max(line.text.length, pair.text.length)) return whole;
  return changes.flatMap(({ added, removed, value }) => (removed ? [] : [{ text: value, isChanged: added }]));
}
