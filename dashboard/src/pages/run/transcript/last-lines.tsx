import { useQuery } from "@tanstack/react-query";
import { transcriptEndQuery } from "../../../api/run-queries.ts";
import { Skeleton } from "../../../parts/tables/skeleton.tsx";
import { AnsiLine } from "./ansi-line.tsx";
import { lastErrorLines } from "./error-lines.ts";
import styles from "./last-lines.module.css";

const LINES = 3;

/** What the agent of a failed run wrote of its error. Its place is there before the lines are, so that nothing moves. */
export function LastLines({ runId }: { runId: string }) {
  const { data, isLoading } = useQuery(transcriptEndQuery(runId));
  const lines = lastErrorLines(data ?? [], LINES);
  return (
    <section
      className={styles.lines}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls has to be reached by keys
      tabIndex={0}
      aria-label="Last error lines"
    >
      {isLoading && <Skeleton rows={3} />}
      {!isLoading && lines.length === 0 && "The transcript has no output."}
      {lines.map((line, place) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: lines have nothing but their places
        <div key={place}>
          <AnsiLine text={line} />
        </div>
      ))}
    </section>
  );
}
