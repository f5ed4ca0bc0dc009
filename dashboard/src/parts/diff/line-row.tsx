import { changedWords } from "./changed-words.ts";
import type { DiffLine, DiffRow } from "./diff-rows.ts";
import styles from "./line-row.module.css";
import { visibleParts } from "./visible-text.ts";

/** More of a line is not shown. */
const MAX_SHOWN = 2_000;
const NAMES = { "+": "added", "-": "removed", " ": "same" } as const;

/** One row of a file: a line, a line next to another one, or a note. @param isLast whether its file ends here */
export function LineRow({ row, isLast }: { row: DiffRow; isLast: boolean }) {
  const end = isLast ? styles.last : "";
  if (row.kind === "note") return <div className={`${styles.note} ${end}`}>{row.text}</div>;
  if (row.kind === "line") {
    const { line } = row;
    return (
      <div className={`${styles.line} ${styles[NAMES[line.sign]]} ${end}`}>
        <span className={styles.number}>{line.before}</span>
        <span className={styles.number}>{line.after}</span>
        <Text line={line} />
      </div>
    );
  }
  return (
    <div className={`${styles.both} ${end}`}>
      <Half line={row.left} number={row.left?.before} />
      <Half line={row.right} number={row.right?.after} />
    </div>
  );
}

function Half({ line, number }: { line: DiffLine | undefined; number: number | undefined }) {
  return (
    <div className={`${styles.half} ${line ? styles[NAMES[line.sign]] : styles.none}`}>
      <span className={styles.number}>{number}</span>
      {line ? <Text line={line} /> : <span />}
    </div>
  );
}

function Text({ line }: { line: DiffLine }) {
  const { sign, text } = line;
  const more = text.length - MAX_SHOWN;
  const parts = more > 0 ? [{ text: text.slice(0, MAX_SHOWN), isChanged: false }] : changedWords(line);
  return (
    <>
      <span className={styles.sign} aria-hidden="true">
        {sign === "-" ? "−" : sign}
      </span>
      <code className={styles.text}>
        {sign !== " " && <span className="visually-hidden">{NAMES[sign]}: </span>}
        {parts.map(({ text: words, isChanged }, place) => {
          const Element = isChanged ? "mark" : "span";
          return (
            // biome-ignore lint/suspicious/noArrayIndexKey: the parts of a line have nothing but their places
            <Element key={place}>
              <Visible text={words} />
            </Element>
          );
        })}
        {more > 0 && <span className={styles.more}> … {more.toLocaleString()} more characters</span>}
      </code>
    </>
  );
}

function Visible({ text }: { text: string }) {
  const parts = visibleParts(text);
  if (parts.length === 1 && !parts[0]?.isHidden) return text;
  return parts.map((part, place) =>
    part.isHidden ? (
      // biome-ignore lint/suspicious/noArrayIndexKey: the parts of a line have nothing but their places
      <span key={place} className={styles.hidden}>
        {part.text}
      </span>
    ) : (
      part.text
    ),
  );
}
