import { ArrowDown, ArrowUp } from "lucide-react";
import { type ReactNode, useMemo, useState } from "react";
import { BASE } from "../../../api/base.ts";
import type { Models } from "../../../api/client.ts";
import { Button } from "../../../parts/button.tsx";
import { Field } from "../../../parts/forms/field.tsx";
import { Toggle } from "../../../parts/forms/toggle.tsx";
import { Section } from "../../../parts/page.tsx";
import { ProblemNotice } from "../../../parts/problem-notice.tsx";
import { hasEnded } from "../../../parts/runs/has-ended.ts";
import { Switcher } from "../../../parts/switcher.tsx";
import { AnsiLine } from "./ansi-line.tsx";
import { failedPlaces, shownSteps, stepsWith } from "./run-steps.ts";
import { StepView } from "./step-view.tsx";
import styles from "./transcript.module.css";
import { errorPlaces, linesWith } from "./transcript-lines.ts";
import { useTranscript } from "./use-transcript.ts";
import { VirtualRows } from "./virtual-rows.tsx";

const VIEWS = [
  { value: "steps", label: "Steps" },
  { value: "text", label: "Text" },
] as const;

/**
 * What the agent of a run does and writes, live, of any length: to follow, to search and to keep. A run whose harness tells of
 * its steps is shown as these; a failed one is shown from its end.
 */
export function Transcript({ run }: { run: Models["RunItem"] }) {
  const { text, steps: told, error } = useTranscript(run);
  const { lines } = text;
  const steps = useMemo(() => shownSteps(told), [told]);
  const hasSteps = told.some(({ type }) => type !== "output");
  const isOver = hasEnded(run.state);
  const [asked, setView] = useState<string>("steps");
  const inSteps = hasSteps && asked === "steps";
  const [sought, setSought] = useState("");
  const [isFollowing, setFollowing] = useState(run.state !== "SUCCEEDED" && run.state !== "CANCELLED");
  const [chosen, setChosen] = useState<number>();
  const errors = useMemo(() => (inSteps ? failedPlaces(steps) : errorPlaces(lines)), [inSteps, steps, lines]);
  const hits = useMemo(
    () => (inSteps ? stepsWith(steps, sought) : linesWith(lines, sought)),
    [inSteps, steps, lines, sought],
  );
  const current = chosen ?? hits[0];
  const show = (place: number | undefined) => {
    setFollowing(false);
    setChosen(place);
  };
  const row = (place: number): ReactNode => {
    const step = steps[place];
    if (inSteps) return step && <StepView shown={step} />;
    const line = lines[place];
    return line && <AnsiLine text={line.style + line.text} sought={sought} />;
  };
  return (
    <Section
      title="Transcript"
      aside={
        <>
          {!isOver && <Toggle label="Follow" isSelected={isFollowing} onChange={setFollowing} />}
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
              show(undefined);
            }}
          />
          {sought !== "" && (
            <PlaceButtons what="match" whats="matches" places={hits} current={current} onStep={show} />
          )}
          {sought === "" && errors.length > 0 && (
            // A step that failed is none of the run's errors: agents go on after most of them.
            <PlaceButtons
              what={inSteps ? "failed step" : "error"}
              whats={inSteps ? "failed steps" : "errors"}
              places={errors}
              current={current}
              onStep={show}
            />
          )}
          {hasSteps && (
            <Switcher
              label="Show as"
              value={asked}
              onChange={(value) => {
                setView(value);
                setChosen(undefined);
              }}
              options={VIEWS}
            />
          )}
        </div>
        {error !== undefined && <ProblemNotice error={error} />}
        <VirtualRows
          key={inSteps ? "steps" : "text"}
          label={inSteps ? "Steps" : "Transcript"}
          count={inSteps ? steps.length : lines.length}
          isText={!inSteps}
          isMarked={(place) => !inSteps && lines[place]?.isError === true}
          current={current}
          isFollowing={isFollowing}
          onScrollUp={() => setFollowing(false)}
        >
          {row}
        </VirtualRows>
        {lines.length === 0 && !hasSteps && (
          <p className={styles.none}>
            {isOver ? "The agent wrote no output, or its output is no longer stored." : "No output yet."}
          </p>
        )}
      </div>
    </Section>
  );
}

interface PlaceButtonsProps {
  what: string;
  whats: string;
  /** The rows to step through, in their order. */
  places: readonly number[];
  /** The row that is looked at. */
  current: number | undefined;
  onStep: (place: number | undefined) => void;
}

/** Goes from one of several rows to another: from the row that is looked at, or from the end of all rows. */
function PlaceButtons({ what, whats, places, current, onStep }: PlaceButtonsProps) {
  const at = current === undefined ? -1 : places.indexOf(current);
  const next = places.find((place) => current !== undefined && place > current) ?? places[0];
  const previous = places.findLast((place) => current === undefined || place < current) ?? places.at(-1);
  return (
    <>
      <span role="status">
        {places.length === 0
          ? `No ${whats}`
          : at >= 0
            ? `${at + 1} of ${places.length}`
            : `${places.length} ${places.length === 1 ? what : whats}`}
      </span>
      <Button isSmall kind="quiet" aria-label={`Previous ${what}`} onPress={() => onStep(previous)}>
        <ArrowUp size={14} aria-hidden />
      </Button>
      <Button isSmall kind="quiet" aria-label={`Next ${what}`} onPress={() => onStep(next)}>
        <ArrowDown size={14} aria-hidden />
      </Button>
    </>
  );
}
