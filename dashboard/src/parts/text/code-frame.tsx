import { useQuery } from "@tanstack/react-query";
import type { Models } from "../../api/client.ts";
import { definitionQuery } from "../../api/queries.ts";
import styles from "./code-frame.module.css";

/** So many lines are shown before and after the one that is wrong. */
const AROUND = 2;
/** A line may be a whole file of JSON. */
const MAX_LINE = 200;

interface CodeFrameProps {
  factory: string;
  revision: string;
  problem: Models["Problem"];
}

/** The lines around a problem, with its place marked; nothing where the file is not there or cannot be had any more. */
export function CodeFrame({ factory, revision, problem: { path, line, column } }: CodeFrameProps) {
  const { data: files } = useQuery(definitionQuery(factory, revision));
  const lines = files?.[path]?.split(/\r\n|\r|\n/) ?? [];
  if (line > lines.length) return null;
  const first = Math.max(1, line - AROUND);
  return (
    <pre className={styles.frame}>
      {lines.slice(first - 1, line + AROUND).map((text, place) => {
        const number = first + place;
        return (
          <span key={number} className={number === line ? styles.wrong : ""}>
            <span className={styles.number}>{number}</span>
            <Line text={text.slice(0, MAX_LINE)} column={number === line ? column : undefined} />
            {"\n"}
          </span>
        );
      })}
    </pre>
  );
}

/** One line; from a column on, up to the end of a word, it is marked. */
function Line({ text, column }: { text: string; column: number | undefined }) {
  if (column === undefined || column > text.length) return text;
  const rest = text.slice(column - 1);
  const marked = /^[\w-]+|^./.exec(rest)?.[0] ?? "";
  return (
    <>
      {text.slice(0, column - 1)}
      <mark>{marked}</mark>
      {rest.slice(marked.length)}
    </>
  );
}
