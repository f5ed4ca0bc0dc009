import { Bot, Brain, CircleAlert, CircleCheck, ListChecks, Terminal, Wrench } from "lucide-react";
import type { ReactNode } from "react";
import { costText } from "../../../parts/runs/cost-text.ts";
import { Markdown } from "../../../parts/text/markdown.tsx";
import { durationText } from "../../../parts/time/time-text.ts";
import { AnsiLine } from "./ansi-line.tsx";
import { callGist, gistOf } from "./call-gist.ts";
import { hasFailed, type ShownStep } from "./run-steps.ts";
import styles from "./step-view.module.css";

const ICON = { size: 15, "aria-hidden": true } as const;

/** One step of an agent's work. Inputs, results and thoughts are folded. */
export function StepView({ shown }: { shown: ShownStep }) {
  const { step, result } = shown;
  const text = step.text ?? "";
  switch (step.type) {
    case "message":
      return (
        <Row icon={<Bot {...ICON} />}>
          <Markdown text={text} />
        </Row>
      );
    case "plan":
      return (
        <Row icon={<ListChecks {...ICON} />}>
          <Markdown text={text} />
        </Row>
      );
    case "thinking":
      return (
        <Row icon={<Brain {...ICON} />}>
          <Folded gist="Thinking" about={gistOf(text)} isQuiet>
            <Markdown text={text} />
          </Folded>
        </Row>
      );
    case "tool_call":
    case "tool_result":
      return (
        <Row icon={<Wrench {...ICON} />} isError={hasFailed(shown)}>
          <Folded
            gist={step.name ?? "Result"}
            about={gistOf(step.input === undefined ? (step.output ?? "") : callGist(step.input))}
          >
            {step.input && <Text label="Input" text={step.input} />}
            {(result ?? step).output !== undefined && (
              <Text label={hasFailed(shown) ? "Error" : "Result"} text={(result ?? step).output ?? ""} />
            )}
          </Folded>
          {hasFailed(shown) && <strong className={styles.failed}>failed</strong>}
        </Row>
      );
    case "result":
      return (
        <Row
          icon={step.is_error ? <CircleAlert {...ICON} /> : <CircleCheck {...ICON} />}
          isError={hasFailed(shown)}
        >
          <p>
            <strong>{step.is_error ? "Failed" : "Done"}</strong>{" "}
            <span className={styles.about}>{factsOf(shown)}</span>
          </p>
          {text !== "" && <p className={styles.plain}>{text}</p>}
        </Row>
      );
    default:
      return (
        <Row
          icon={step.type === "notice" ? <CircleAlert {...ICON} /> : <Terminal {...ICON} />}
          isError={hasFailed(shown)}
        >
          <Lines text={text} />
        </Row>
      );
  }
}

function Row({
  icon,
  isError = false,
  children,
}: {
  icon: ReactNode;
  isError?: boolean;
  children: ReactNode;
}) {
  return (
    <div className={isError ? styles.wrong : styles.step}>
      <span className={styles.icon}>{icon}</span>
      <div className={styles.content}>{children}</div>
    </div>
  );
}

interface FoldedProps {
  gist: string;
  about: string;
  isQuiet?: boolean;
  children: ReactNode;
}

function Folded({ gist, about, isQuiet = false, children }: FoldedProps) {
  return (
    <details className={styles.folded}>
      <summary>
        {isQuiet ? <span className={styles.about}>{gist}</span> : <strong>{gist}</strong>}{" "}
        <code className={styles.about}>{about}</code>
      </summary>
      <div className={styles.unfolded}>{children}</div>
    </details>
  );
}

function Text({ label, text }: { label: string; text: string }) {
  return (
    <div
      className={styles.text}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls has to be reached by keys
      tabIndex={0}
    >
      <h3>{label}</h3>
      <Lines text={text} />
    </div>
  );
}

/** More lines than anyone reads here are in the text of the transcript. */
const MAX_LINES = 500;

function Lines({ text }: { text: string }) {
  const lines = text.split("\n");
  return (
    <div className={styles.lines}>
      {lines.slice(0, MAX_LINES).map((line, place) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: lines have nothing but their places
        <div key={place}>
          <AnsiLine text={line} />
        </div>
      ))}
      {lines.length > MAX_LINES && <div>… {lines.length - MAX_LINES} more lines</div>}
    </div>
  );
}

function factsOf({ step: { cost_usd, tokens, duration_ms } }: ShownStep): string {
  return [
    duration_ms === undefined ? "" : durationText(duration_ms),
    tokens === undefined ? "" : `${tokens.toLocaleString("en")} tokens`,
    cost_usd === undefined ? "" : costText(cost_usd),
  ]
    .filter(Boolean)
    .join(" · ");
}
