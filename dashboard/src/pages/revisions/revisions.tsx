import { useInfiniteQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useLocation, useParams } from "wouter";
import type { Models } from "../../api/client.ts";
import { itemsOf } from "../../api/pages.ts";
import { revisionsQuery } from "../../api/queries.ts";
import { DeleteFactory } from "../../frame/delete-factory.tsx";
import { useFactory } from "../../frame/use-factory.ts";
import { useMay } from "../../frame/use-role.ts";
import { BudgetFact } from "../../parts/budget-fact.tsx";
import { Chip } from "../../parts/chip.tsx";
import { Fact, Facts } from "../../parts/facts.tsx";
import { Page, Section } from "../../parts/page.tsx";
import { ProblemList } from "../../parts/problem-list.tsx";
import { ProblemNotice } from "../../parts/problem-notice.tsx";
import { RevisionMark } from "../../parts/revision-mark.tsx";
import { EmptyState } from "../../parts/tables/empty-state.tsx";
import { LoadMore } from "../../parts/tables/load-more.tsx";
import { Skeleton } from "../../parts/tables/skeleton.tsx";
import { BreakablePath } from "../../parts/text/breakable-path.tsx";
import { RelativeTime } from "../../parts/time/relative-time.tsx";
import { SYNC_TONES } from "../../parts/tones.ts";
import { Compare } from "./compare.tsx";
import { FactoryActions } from "./factory-actions.tsx";
import { NextPlan } from "./next-plan.tsx";
import { RevisionItem } from "./revision-item.tsx";
import styles from "./revisions.module.css";
import { RollBack } from "./roll-back.tsx";

/** Whether what was merged is active, and if not, which line is wrong. */
export function Revisions() {
  const { factory: name = "" } = useParams<{ factory: string }>();
  const { factory } = useFactory();
  const [, navigate] = useLocation();
  const mayOperate = useMay("operator");
  const query = useInfiniteQuery(revisionsQuery(name));
  const [target, setTarget] = useState<Models["Revision"]>();
  const revisions = itemsOf(query.data);
  // The newest attempt is what the state of the sync is about, and its problems are listed there.
  const latest = revisions.find(({ revision }) => revision === factory?.sync.attempted_revision);
  const inForce = revisions.find(({ outcome, is_in_force }) => outcome === "applied" && is_in_force);
  return (
    <Page
      title="Revisions"
      mark={factory && <Chip tone={SYNC_TONES[factory.sync.status]}>{factory.sync.status}</Chip>}
      destructive={
        mayOperate && factory && <DeleteFactory factory={factory} onDeleted={() => navigate("/")} />
      }
      actions={factory && <FactoryActions factory={factory} />}
    >
      {factory && <Sync factory={factory} />}
      {factory && <NextPlan factory={factory} />}
      <Section title="History" isFlush>
        {query.error && <ProblemNotice error={query.error} onRetry={() => void query.refetch()} />}
        {query.isPending && <Skeleton rows={5} />}
        {query.data && revisions.length === 0 && (
          <EmptyState title="No revisions yet" command={`millrace sync ${name}`}>
            The source is polled periodically. To sync now:
          </EmptyState>
        )}
        <ol>
          {factory &&
            revisions.map((revision, place) => (
              <RevisionItem
                key={revision.id}
                revision={revision}
                factory={factory}
                isInForce={revision === inForce}
                {...listedElsewhere(revision, {
                  isUnderSync: revision === latest && factory.sync.problems.length > 0,
                  newer: revisions.slice(0, place),
                })}
                onRollBack={() => setTarget(revision)}
              />
            ))}
        </ol>
        <LoadMore query={query} />
      </Section>
      {factory && revisions.length > 1 && <Compare factory={factory} revisions={revisions} />}
      {factory && target && (
        <RollBack factory={factory} target={target} onClose={() => setTarget(undefined)} />
      )}
    </Page>
  );
}

/** Where the same problems are listed already: each is shown once. */
function listedElsewhere(
  { revision, problems }: Models["Revision"],
  { isUnderSync, newer }: { isUnderSync: boolean; newer: readonly Models["Revision"][] },
): { listedIn?: string } {
  if (isUnderSync) return { listedIn: "listed above under Sync" };
  const same = newer.some(
    (each) => each.revision === revision && JSON.stringify(each.problems) === JSON.stringify(problems),
  );
  return same ? { listedIn: "as in a newer attempt of this revision" } : {};
}

function Sync({ factory }: { factory: Models["Factory"] }) {
  const { source, sync } = factory;
  return (
    <Section title="Sync">
      <div className={styles.sync}>
        <Facts>
          <Fact name="Source">
            <code>
              <BreakablePath path={source.url ?? source.path ?? ""} />
            </code>
            {source.branch && <> · branch {source.branch}</>}
          </Fact>
          <Fact name="Applied">
            {sync.applied_revision ? (
              <RevisionMark source={source} revision={sync.applied_revision} />
            ) : (
              "none yet"
            )}
            {sync.applied_at && (
              <div className={styles.when}>
                <RelativeTime at={sync.applied_at} />
              </div>
            )}
          </Fact>
          <Fact name="Attempted">
            {sync.attempted_revision ? (
              <RevisionMark source={source} revision={sync.attempted_revision} />
            ) : (
              "none yet"
            )}
            {sync.attempted_at && (
              <div className={styles.when}>
                <RelativeTime at={sync.attempted_at} />
              </div>
            )}
          </Fact>
          {factory.budget && <BudgetFact budget={factory.budget} />}
        </Facts>
        {sync.problems.length > 0 && (
          <ProblemList problems={sync.problems} factory={factory} revision={sync.attempted_revision} />
        )}
      </div>
    </Section>
  );
}
