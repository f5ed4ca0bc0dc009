import { useInfiniteQuery, useMutation, useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useLocation, useParams } from "wouter";
import { type Models, millrace } from "../../api/client.ts";
import { itemsOf } from "../../api/pages.ts";
import { revisionsQuery } from "../../api/queries.ts";
import { queryClient } from "../../api/query-client.ts";
import { DeleteFactory } from "../../frame/delete-factory.tsx";
import { useFactory } from "../../frame/use-factory.ts";
import { useMay } from "../../frame/use-role.ts";
import { announce } from "../../parts/announcer.tsx";
import { BudgetFact } from "../../parts/budget-fact.tsx";
import { Button } from "../../parts/button.tsx";
import { Changes } from "../../parts/changes.tsx";
import { Chip } from "../../parts/chip.tsx";
import { counted } from "../../parts/counted.ts";
import { Fact, Facts } from "../../parts/facts.tsx";
import { ConfirmDialog } from "../../parts/forms/confirm-dialog.tsx";
import { Page, Section } from "../../parts/page.tsx";
import { ProblemList } from "../../parts/problem-list.tsx";
import { ProblemNotice } from "../../parts/problem-notice.tsx";
import { RevisionMark } from "../../parts/revision-mark.tsx";
import { shortCostText } from "../../parts/runs/cost-text.ts";
import { EmptyState } from "../../parts/tables/empty-state.tsx";
import { LoadMore } from "../../parts/tables/load-more.tsx";
import { Loaded } from "../../parts/tables/loaded.tsx";
import { Skeleton } from "../../parts/tables/skeleton.tsx";
import { BreakablePath } from "../../parts/text/breakable-path.tsx";
import { RelativeTime } from "../../parts/time/relative-time.tsx";
import { SYNC_TONES, SYNC_WORDS } from "../../parts/tones.ts";
import { Compare } from "./compare.tsx";
import { FactoryActions } from "./factory-actions.tsx";
import { countText, RevisionItem } from "./revision-item.tsx";
import styles from "./revisions.module.css";

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
      mark={factory && <Chip tone={SYNC_TONES[factory.sync.status]}>{SYNC_WORDS[factory.sync.status]}</Chip>}
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

/** What the source holds now would change, without changing it. */
export function NextPlan({ factory }: { factory: Models["Factory"] }) {
  const plan = useMutation({ mutationFn: () => millrace.factories.plan(factory.name, {}) });
  return (
    <Section
      title="Plan"
      aside={
        <Button isSmall onPress={() => plan.mutate()} isPending={plan.isPending}>
          Plan the current source
        </Button>
      }
    >
      <div className={styles.sync} role="status">
        {plan.error && <ProblemNotice error={plan.error} />}
        {plan.data ? (
          <PlanResult plan={plan.data} factory={factory} />
        ) : (
          !plan.error && (
            <p className={styles.by}>
              Shows what would change, and which stored deliveries would start different runs. Nothing is
              applied.
            </p>
          )
        )}
      </div>
    </Section>
  );
}

interface RollBackProps {
  factory: Models["Factory"];
  /** The revision to go back to. */
  target: Models["Revision"];
  onClose: () => void;
}

/** Brings an earlier revision into force again, after what that changes was shown. */
export function RollBack({ factory, target, onClose }: RollBackProps) {
  const { name, sync } = factory;
  const { revision, message } = target;
  const plan = useQuery({
    queryKey: ["rollback-plan", name, revision, sync.applied_revision],
    queryFn: () => millrace.factories.plan(name, { revision }),
    staleTime: 0,
    gcTime: 0,
  });
  return (
    <ConfirmDialog
      title={`Roll ${name} back to ${revision.slice(0, 10)}?`}
      action="Roll back"
      isOpen
      isReady={!plan.isLoading && plan.data?.applicable !== false}
      onClose={onClose}
      onConfirm={async () => {
        await millrace.factories.rollback(name, revision);
        announce(`Rolled back and suspended ${name}.`);
        for (const key of ["factories", "revisions", "webhooks", "automations"]) {
          await queryClient.invalidateQueries({ queryKey: [key] });
        }
      }}
    >
      <div className={styles.rollback}>
        <p>
          {message?.split("\n")[0]} becomes active again immediately. The factory is also suspended: new
          commits are not applied until it is resumed.
        </p>
        <Loaded query={plan}>{(found) => <PlanResult plan={found} factory={factory} />}</Loaded>
      </div>
    </ConfirmDialog>
  );
}

interface PlanResultProps {
  plan: Models["Plan"];
  factory: Models["Factory"];
}

/** What a plan says: whether it can be applied, what would change, what is wrong, and which runs would start. */
export function PlanResult({ plan, factory }: PlanResultProps) {
  const { applicable, changes, warnings, problems, revision, traffic } = plan;
  const changing = changes.filter(({ action }) => action !== "unchanged");
  const shifts = traffic?.automations.filter(({ before, after }) => before !== after) ?? [];
  const warned = warnings.map(({ blocking, ...warning }) => ({
    ...warning,
    severity: blocking ? ("error" as const) : ("warning" as const),
  }));
  const isUnderSync = revision !== null && revision === factory.sync.attempted_revision;
  const known = isUnderSync ? new Set(factory.sync.problems.map(keyOf)) : new Set<string>();
  const listed = [...problems, ...warned].filter((problem) => !known.has(keyOf(problem)));
  return (
    <>
      <p>
        <Chip tone={applicable ? "green" : "red"}>{applicable ? "Can be applied" : "Cannot be applied"}</Chip>{" "}
        {countText(changing) || "Nothing would change."}
      </p>
      {changing.length > 0 && <Changes changes={changing} />}
      {listed.length > 0 && <ProblemList problems={listed} factory={factory} revision={revision} />}
      {listed.length < problems.length + warned.length && <p>It has the problems listed under Sync.</p>}
      {shifts.map((shift) => (
        <p key={shift.name}>
          In a replay of {traffic?.deliveries} stored deliveries, {shift.name} starts {shift.after} runs
          instead of {shift.before}.{costOf(shift)}
        </p>
      ))}
    </>
  );
}

/** What the change costs in a week, where it is known what a run costs. */
function costOf({ before, after, cost }: Models["AutomationTraffic"]): string {
  if (!cost) return "";
  const change = after - before;
  const more = change > 0 ? "more" : "fewer";
  const money = `about ${shortCostText(Math.abs(change) * cost.median)}${change > 0 ? "" : " less"}`;
  return ` That is ${counted(Math.abs(change), `${more} run`)} a week, ${money} (median of its last ${counted(cost.runs, "run")}).`;
}

function keyOf({ code, path, line, column, message }: Models["Problem"]): string {
  return JSON.stringify([code, path, line, column, message]);
}
