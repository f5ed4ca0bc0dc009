import { Button } from "react-aria-components";
import { Changes } from "../parts/changes.tsx";
import { Chip } from "../parts/chip.tsx";
import { counted } from "../parts/counted.ts";
import { Section } from "../parts/page.tsx";
import { ProblemNotice } from "../parts/problem-notice.tsx";
import styles from "./findings.module.css";
import type { Check, Finding } from "./use-check.ts";

const TONES = { error: "red", warning: "amber", notice: "grey" } as const;

interface FindingsProps {
  check: Check;
  /** The files of this page: what is found elsewhere has no place to go to. */
  paths: readonly string[];
  onGoTo: (finding: Finding) => void;
}

/** What the server says of what is being written: every problem with its place, and what saving would change. */
export function Findings({ check, paths, onGoTo }: FindingsProps) {
  const { plan, findings, isChecking, error } = check;
  const changes = plan?.changes.filter(({ action }) => action !== "unchanged") ?? [];
  return (
    <Section title="Check" aside={<Verdict check={check} />}>
      <div className={styles.findings} aria-busy={isChecking}>
        {error !== null && error !== undefined && <ProblemNotice error={error} />}
        {findings.length > 0 && (
          <ul className={styles.list} aria-label="Problems">
            {sorted(findings, paths).map((finding) => (
              <li key={JSON.stringify(finding)}>
                <Chip tone={TONES[finding.severity]}>{finding.severity}</Chip>
                <span className={styles.words}>
                  {finding.message}{" "}
                  <Place finding={finding} {...(paths.includes(finding.path) ? { onGoTo } : {})} />
                </span>
              </li>
            ))}
          </ul>
        )}
        {plan?.applicable && changes.length > 0 && (
          <div>
            <h3>Saving changes</h3>
            <Changes changes={changes} />
          </div>
        )}
        {plan?.applicable && changes.length === 0 && (
          <p className={styles.muted}>Saving would not change the applied definition.</p>
        )}
      </div>
    </Section>
  );
}

/** Errors first, and what is of this page before what is elsewhere. */
function sorted(findings: readonly Finding[], paths: readonly string[]): Finding[] {
  const rank = ({ severity, path }: Finding) =>
    Object.keys(TONES).indexOf(severity) * 2 + (paths.includes(path) ? 0 : 1);
  return [...findings].sort((a, b) => rank(a) - rank(b));
}

function Place({ finding, onGoTo }: { finding: Finding; onGoTo?: (finding: Finding) => void }) {
  const { path, line, column } = finding;
  if (!onGoTo) return <code className={styles.muted}>{`${path}:${line}:${column}`}</code>;
  return (
    <Button className={styles.place ?? ""} onPress={() => onGoTo(finding)}>
      line {line}, column {column}
    </Button>
  );
}

/** In a word. It stays while the next one is found out, so that it does not flicker with every letter. */
function Verdict({ check: { plan, findings, error, isChecking } }: { check: Check }) {
  if (!plan || error) return <span>{error ? "Not checked" : "Checking…"}</span>;
  const errors = findings.filter(({ severity }) => severity === "error").length;
  return (
    <>
      {isChecking && <span>Checking…</span>}
      <span role="status">
        {plan.applicable ? (
          <Chip tone="green">No errors</Chip>
        ) : (
          <Chip tone="red">{counted(errors, "error")}</Chip>
        )}
      </span>
    </>
  );
}
