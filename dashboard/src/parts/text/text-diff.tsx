import { structuredPatch } from "diff";
import styles from "./text-diff.module.css";

const WORDS: Readonly<Record<string, { className: string; word: string }>> = {
  "+": { className: styles.added ?? "", word: "added: " },
  "-": { className: styles.removed ?? "", word: "removed: " },
};

/** How a text differs from another, line by line. */
export function TextDiff({ before, after }: { before: string; after: string }) {
  const { hunks } = structuredPatch("", "", before, after, "", "", { context: 3 });
  return hunks.map(({ oldStart, newStart, lines }) => (
    <pre key={`${oldStart} ${newStart}`} className={styles.hunk}>
      {lines.map((line, place) => {
        const { className = "", word = "" } = WORDS[line[0] ?? ""] ?? {};
        return (
          // biome-ignore lint/suspicious/noArrayIndexKey: lines of a hunk have nothing but their places
          <span key={place} className={className}>
            <span className="visually-hidden">{word}</span>
            {line}
            {"\n"}
          </span>
        );
      })}
    </pre>
  ));
}
