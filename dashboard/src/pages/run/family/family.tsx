import { useQuery } from "@tanstack/react-query";
import { Link } from "wouter";
import type { FamilyRun, Run } from "../../../api/models.ts";
import { familyQuery } from "../../../api/run-queries.ts";
import { counted } from "../../../parts/counted.ts";
import { Fold } from "../../../parts/fold.tsx";
import { Section } from "../../../parts/page.tsx";
import { shortCostText } from "../../../parts/runs/cost-text.ts";
import { hasEnded } from "../../../parts/runs/has-ended.ts";
import { RunChip } from "../../../parts/runs/run-chip.tsx";
import { waitingText } from "../../../parts/runs/waiting-text.ts";
import { RelativeTime } from "../../../parts/time/relative-time.tsx";
import { durationText } from "../../../parts/time/time-text.ts";
import { useNarrow } from "../../../parts/use-narrow.ts";
import styles from "./family.module.css";
import { type FamilyNode, familyTree } from "./family-tree.ts";

/** The run among those that it has started, and that have started it; nothing for a run that is alone. */
export function Family({ run }: { run: Run }) {
  const { data: runs = [] } = useQuery(familyQuery(run.run_id));
  const isNarrow = useNarrow();
  if (runs.length < 2) return null;
  const tree = <Nodes nodes={familyTree(runs)} currentId={run.run_id} />;
  if (isNarrow) {
    return (
      <Fold title="Family" about={familyText(runs)}>
        {tree}
      </Fold>
    );
  }
  return (
    <Section title="Family" aside={familyText(runs)}>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls has to be reached by keys */}
      <section className={styles.frame} tabIndex={0} aria-label="Runs of the family">
        {tree}
      </section>
    </Section>
  );
}

function Nodes({ nodes, currentId }: { nodes: readonly FamilyNode[]; currentId: string }) {
  return (
    <ul className={styles.nodes}>
      {nodes.map(({ run, children }) => (
        <li key={run.run_id}>
          <FamilyRow run={run} isCurrent={run.run_id === currentId} />
          {children.length > 0 && <Nodes nodes={children} currentId={currentId} />}
        </li>
      ))}
    </ul>
  );
}

/** How a family stands, in a few words. */
function familyText(runs: readonly FamilyRun[]): string {
  const open = runs.filter(({ state }) => !hasEnded(state)).length;
  const blocked = runs.filter(({ state }) => state === "BLOCKED").length;
  const costs = runs.flatMap(({ cost_usd }) => cost_usd ?? []);
  return [
    counted(runs.length, "run"),
    open === 0 ? "all ended" : `${open} not ended`,
    blocked > 0 ? `${blocked} blocked` : "",
    costs.length > 0 ? shortCostText(costs.reduce((sum, cost) => sum + cost, 0)) : "",
  ]
    .filter(Boolean)
    .join(" · ");
}

/** One run of a family: how it stands, what it is, and how long it took. */
function FamilyRow({ run, isCurrent }: { run: FamilyRun; isCurrent: boolean }) {
  const { run_id, agent, title, state, created_at, started_at, finished_at, cost_usd } = run;
  const waiting = waitingText(run);
  return (
    <div className={isCurrent ? styles.current : styles.row}>
      <RunChip state={state} />
      <span className={styles.name}>
        <strong>{agent}</strong>{" "}
        {isCurrent ? (
          <span aria-current="page">{title || run_id} (this run)</span>
        ) : (
          <Link href={`/runs/${run_id}`}>{title || run_id}</Link>
        )}
        {waiting && <span className={styles.waiting}>{waiting}</span>}
      </span>
      <span className={styles.figures}>
        {cost_usd !== undefined && <span>{shortCostText(cost_usd)}</span>}
        {started_at && finished_at && (
          <span>{durationText(Date.parse(finished_at) - Date.parse(started_at))}</span>
        )}
        <RelativeTime at={created_at} />
      </span>
    </div>
  );
}
