import { useQuery } from "@tanstack/react-query";
import { Circle, CircleCheck, CircleDashed, CircleX } from "lucide-react";
import { Link } from "wouter";
import type { Run } from "../../../api/models.ts";
import { artifactTextQuery } from "../../../api/run-queries.ts";
import { counted } from "../../../parts/counted.ts";
import { shortCostText } from "../../../parts/runs/cost-text.ts";
import { hasEnded } from "../../../parts/runs/has-ended.ts";
import { agentOf } from "../../../parts/runs/run-agent.ts";
import { runCostText, workText } from "../../../parts/runs/run-figures.ts";
import { SideRow, SideSection } from "../side.tsx";
import { type Check, checksOf, costOf } from "./family-work.ts";
import styles from "./review-side.module.css";

/** What the agents report about the change that have not made it. */
export function Checks({ run, runs }: { run: Run; runs: readonly Run[] }) {
  const checks = checksOf(run, runs);
  if (checks.length === 0) return null;
  return (
    <SideSection title="Checks">
      {checks.map((check) => (
        <CheckRow key={check.agent} check={check} />
      ))}
    </SideSection>
  );
}

export function CheckRow({ check: { run, agent, rounds, says, verdict } }: { check: Check }) {
  const { data } = useQuery({ ...artifactTextQuery(verdict ?? ""), enabled: verdict !== undefined });
  const word = data?.trim().slice(0, 100);
  return (
    <SideRow icon={<CheckIcon run={run} word={word} />} figure={rounds > 1 && counted(rounds, "round")}>
      <Link href={`/runs/${run.run_id}`}>{agent}</Link>
      {word && <strong> {word}</strong>}
      {says && <span className={styles.says}>{says}</span>}
    </SideRow>
  );
}

const AGAINST = /^(?:fault|reject|refuse|fail|no\b|changes)/i;

/** How it went, in a shape and a colour; a verdict says more than that its run has ended well. */
function CheckIcon({ run: { state }, word }: { run: Run; word: string | undefined }) {
  const props = { size: 16, role: "img" };
  if (!hasEnded(state)) return <CircleDashed {...props} aria-label="Not ended" className={styles.waits} />;
  if (state === "CANCELLED") return <Circle {...props} aria-label="Cancelled" className={styles.waits} />;
  if (state !== "SUCCEEDED" || (word && AGAINST.test(word)))
    return <CircleX {...props} aria-label="Against it" className={styles.failed} />;
  return <CircleCheck {...props} aria-label="Good" className={styles.good} />;
}

/** What all runs of a family have cost; nothing where no harness tells. */
export function FamilyCost({ runs }: { runs: readonly Run[] }) {
  const cost = costOf(runs);
  if (cost === undefined) return null;
  const tokens = runs.reduce((sum, { request_usage: usage }) => sum + (usage?.total_tokens ?? 0), 0);
  return (
    <SideSection title={runs.length > 1 ? "Cost of the family" : "Cost"}>
      <SideRow figure={tokens > 0 && `${tokens.toLocaleString()} tokens`}>
        <strong>{shortCostText(cost)}</strong>
      </SideRow>
    </SideSection>
  );
}

/** The agents of a family, each with the time and the cost of all its runs. */
export function WorkedOnIt({ runs }: { runs: readonly Run[] }) {
  if (runs.length < 2) return null;
  return (
    <SideSection title="Worked on it">
      {runs.map((run) => (
        <SideRow key={run.run_id} figure={[workText(run), runCostText(run)].filter(Boolean).join(", ")}>
          <Link href={`/runs/${run.run_id}`}>{agentOf(run)}</Link>
        </SideRow>
      ))}
    </SideSection>
  );
}
