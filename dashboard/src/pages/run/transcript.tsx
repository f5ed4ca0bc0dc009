import { useVirtualizer } from "@tanstack/react-virtual";
import { ArrowDown, ArrowUp } from "lucide-react";
import { useEffect, useMemo, useRef, useState } from "react";
import { BASE } from "../../api/base.ts";
import type { Models } from "../../api/client.ts";
import { Button } from "../../parts/button.tsx";
import { Field } from "../../parts/field.tsx";
import { Section } from "../../parts/page.tsx";
import { ProblemNotice } from "../../parts/problem-notice.tsx";
import { Toggle } from "../../parts/toggle.tsx";
import { hasEnded } from "../../parts/tones.ts";
import { AnsiLine } from "./ansi-line.tsx";
import styles from "./transcript.module.css";
import { linesWith, type TranscriptLine } from "./transcript-lines.ts";
import { useTranscript } from "./use-transcript.ts";

const LINE_HEIGHT = 21;
const OVERSCAN = 30;

/** What the agent of a run writes, live, of any length: to follow, to search and to keep. */
export function Transcript({ run }: { run: Models["RunItem"] }) {
  const { text, error } = useTranscript(run);
  const { lines } = text;
  const [sought, setSought] = useState("");
  const [isFollowing, setFollowing] = useState(!hasEnded(run.state));
  const [found, setFound] = useState(0);
  const hits = useMemo(() => linesWith(lines, sought), [lines, sought]);
  const current = hits.length === 0 ? undefined : hits[found % hits.length];
  const step = (by: number) => {
    setFollowing(false);
    setFound((before) => (before + by + hits.length) % Math.max(1, hits.length));
  };
  return (
    <Section
      title="Transcript"
      aside={
        <>
          <Toggle label="Follow" isSelected={isFollowing} onChange={setFollowing} />
          <a href={`${BASE}/api/v1/agent/runs/${run.run_id}/transcript`} download={`${run.run_id}.txt`}>
            Download
          </a>
        </>
      }
    >
      <div className={styles.transcript}>
        <div className={styles.search}>
          <Field
            label="Search the transcript"
            value={sought}
            onChange={(value) => {
              setSought(value);
              setFound(0);
              setFollowing(false);
            }}
          />
          {sought !== "" && (
            <>
              <span role="status">
                {hits.length === 0 ? "No matches" : `${(found % hits.length) + 1} of ${hits.length}`}
              </span>
              <Button isSmall kind="quiet" aria-label="Previous match" onPress={() => step(-1)}>
                <ArrowUp size={14} aria-hidden />
              </Button>
              <Button isSmall kind="quiet" aria-label="Next match" onPress={() => step(1)}>
                <ArrowDown size={14} aria-hidden />
              </Button>
            </>
          )}
        </div>
        {error !== undefined && <ProblemNotice error={error} />}
        <Lines
          lines={lines}
          sought={sought}
          current={current}
          isFollowing={isFollowing}
          onScrollUp={() => setFollowing(false)}
        />
        {lines.length === 0 && (
          <p className={styles.none}>
            {hasEnded(run.state)
              ? "The agent wrote no output, or its output is no longer stored."
              : "No output yet."}
          </p>
        )}
      </div>
    </Section>
  );
}

interface LinesProps {
  lines: readonly TranscriptLine[];
  sought: string;
  /** The line that a search has come to. */
  current: number | undefined;
  isFollowing: boolean;
  onScrollUp: () => void;
}

function Lines({ lines, sought, current, isFollowing, onScrollUp }: LinesProps) {
  const frame = useRef<HTMLDivElement>(null);
  const virtualizer = useVirtualizer({
    count: lines.length,
    getScrollElement: () => frame.current,
    estimateSize: () => LINE_HEIGHT,
    overscan: OVERSCAN,
  });
  useEffect(() => {
    if (isFollowing && lines.length > 0) virtualizer.scrollToIndex(lines.length - 1, { align: "end" });
  }, [isFollowing, lines, virtualizer]);
  useEffect(() => {
    if (current !== undefined) virtualizer.scrollToIndex(current, { align: "center" });
  }, [current, virtualizer]);
  return (
    <div
      className={styles.lines}
      ref={frame}
      role="log"
      aria-live="off"
      aria-label="Transcript"
      // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls has to be reached by keys
      tabIndex={0}
      onWheel={(event) => event.deltaY < 0 && onScrollUp()}
      onKeyDown={({ key }) => ["ArrowUp", "PageUp", "Home"].includes(key) && onScrollUp()}
      hidden={lines.length === 0}
    >
      <div className={styles.all} style={{ height: virtualizer.getTotalSize() }}>
        {virtualizer.getVirtualItems().map(({ index, start }) => {
          const line = lines[index];
          if (!line) return null;
          const classes = [
            styles.line,
            line.isError ? styles.error : "",
            index === current ? styles.current : "",
          ];
          return (
            <div
              key={index}
              data-index={index}
              ref={virtualizer.measureElement}
              className={classes.join(" ")}
              style={{ transform: `translateY(${start}px)` }}
            >
              <AnsiLine text={line.style + line.text} sought={sought} />
            </div>
          );
        })}
      </div>
    </div>
  );
}
