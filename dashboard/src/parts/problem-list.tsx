import type { Models } from "../api/client.ts";
import { Chip, type Tone } from "./chip.tsx";
import styles from "./problem-list.module.css";
import { fileUrl } from "./source-links.ts";
import { CodeFrame } from "./text/code-frame.tsx";

const TONES: Readonly<Record<Models["Problem"]["severity"], Tone>> = {
  error: "red",
  warning: "amber",
  notice: "grey",
};

interface ProblemListProps {
  problems: readonly Models["Problem"][];
  factory: Models["Factory"];
  /** The revision that they were found in. */
  revision: string | null;
}

/** What is wrong with a definition, each at its file, line and column; errors first. */
export function ProblemList({ problems, factory, revision }: ProblemListProps) {
  const severities = Object.keys(TONES);
  const sorted = [...problems].sort(
    (a, b) => severities.indexOf(a.severity) - severities.indexOf(b.severity),
  );
  return (
    <ul className={styles.list}>
      {sorted.map((problem) => {
        const { code, message, path, line, column, severity } = problem;
        const place = `${path}:${line}:${column}`;
        const url = revision === null ? undefined : fileUrl(factory.source, revision, path, line);
        return (
          <li key={`${code} ${place} ${message}`}>
            <Chip tone={TONES[severity]}>{severity}</Chip>
            <div className={styles.words}>
              <p>{message}</p>
              <p className={styles.place}>
                {url ? (
                  <a href={url} target="_blank" rel="noreferrer">
                    <code>{place}</code>
                  </a>
                ) : (
                  <code>{place}</code>
                )}
                <span>{code}</span>
              </p>
              {severity === "error" && revision !== null && (
                <CodeFrame factory={factory.name} revision={revision} problem={problem} />
              )}
            </div>
          </li>
        );
      })}
    </ul>
  );
}
