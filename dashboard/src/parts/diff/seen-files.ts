import { useState } from "react";

const KEY = "millrace-seen-files";
/** The oldest marks go first. */
const MAX_MARKS = 2_000;

/**
 * Which files of a patch someone has looked at, which this browser remembers. A mark is of the bytes of the patch: in another
 * one nothing has been seen.
 * @param sha256 of the patch
 */
export function useSeenFiles(sha256: string): {
  isSeen: (place: number) => boolean;
  mark: (place: number, isSeen: boolean) => void;
} {
  const [marks, setMarks] = useState(read);
  const nameOf = (place: number) => `${sha256} ${place}`;
  return {
    isSeen: (place) => marks.has(nameOf(place)),
    mark(place, isSeen) {
      // Another tab may have marked something since.
      const next = read();
      next.delete(nameOf(place));
      if (isSeen) next.add(nameOf(place));
      localStorage.setItem(KEY, JSON.stringify([...next].slice(-MAX_MARKS)));
      setMarks(next);
    },
  };
}

function read(): Set<string> {
  try {
    const kept: unknown = JSON.parse(localStorage.getItem(KEY) ?? "[]");
    return new Set(Array.isArray(kept) ? kept.filter((mark) => typeof mark === "string") : []);
  } catch {
    return new Set();
  }
}
