import { useQuery } from "@tanstack/react-query";
import { GitBranch } from "lucide-react";
import { Suspense } from "react";
import type { Run } from "../../../api/models.ts";
import { familyRunsQuery } from "../../../api/run-queries.ts";
import { Fold } from "../../../parts/fold.tsx";
import { ArtifactList } from "../../../parts/runs/artifact-list.tsx";
import { Loaded } from "../../../parts/tables/loaded.tsx";
import { Skeleton } from "../../../parts/tables/skeleton.tsx";
import { Markdown } from "../../../parts/text/markdown.tsx";
import { later } from "../../../parts/time/later.tsx";
import { ArtifactViews } from "../result/artifact-views.tsx";
import { WithSide } from "../side.tsx";
import { WaitingNote } from "../waiting-note.tsx";
import { type FoundPatch, patchesAskedAbout, patchesOf } from "./family-work.ts";
import { Question } from "./question.tsx";
import styles from "./review.module.css";
import { Checks, FamilyCost, WorkedOnIt } from "./review-side.tsx";

const patchArtifact = later(
  async () => (await import("../../../parts/diff/patch-artifact.tsx")).PatchArtifact,
);

interface ReviewProps {
  run: Run;
  draft: string;
  onDraft: (draft: string) => void;
}

/** What a person is asked, next to all that the agents of the family have to show for it. */
export function Review({ run, draft, onDraft }: ReviewProps) {
  const query = useQuery(familyRunsQuery(run));
  const runs = query.data ?? [];
  return (
    <WithSide
      first={
        <>
          {run.state === "BLOCKED" && (
            // Another question is another form: nothing of the answer to the one before is left in it.
            <Question key={run.question?.asked_at} run={run} draft={draft} onDraft={onDraft} />
          )}
          <Checks run={run} runs={runs} />
        </>
      }
      side={
        <>
          <FamilyCost runs={runs} />
          <WorkedOnIt runs={runs} />
        </>
      }
    >
      {run.state === "QUEUED" && <WaitingNote run={run} />}
      <Loaded query={query} rows={8}>
        {(family) => <Changes run={run} runs={family} />}
      </Loaded>
    </WithSide>
  );
}

/** What was done and why, and what it changes. */
function Changes({ run, runs }: { run: Run; runs: readonly Run[] }) {
  const patches = patchesOf(runs);
  const shown = patchesAskedAbout(run, patches);
  const others = patches.filter((patch) => !shown.includes(patch));
  const branches = runs.flatMap(({ artifacts = [] }) =>
    artifacts.filter(({ data }) => data.reference_type === "branch"),
  );
  const own = (run.artifacts ?? []).filter(
    ({ data }) => data.kind !== "patch" && data.reference_type !== "branch",
  );
  const isNothing = shown.length + branches.length + own.length === 0;
  return (
    <>
      <WhatAndWhy run={run} made={shown[0]?.maker} />
      {branches.length > 0 && (
        <ul className={styles.branches} aria-label="Branches">
          {branches.map(({ data }) => (
            <li key={data.artifact_uid}>
              <GitBranch size={14} aria-hidden /> <code>{data.branch}</code>
              {data.repository && <> in {data.repository}</>}
              {data.commit && (
                <>
                  {" "}
                  at <code>{data.commit.slice(0, 9)}</code>
                </>
              )}
            </li>
          ))}
        </ul>
      )}
      {shown.map(({ artifact: { data } }) => (
        <Suspense key={data.artifact_uid} fallback={<Skeleton rows={8} />}>
          <patchArtifact.Part data={data} />
        </Suspense>
      ))}
      <ArtifactViews artifacts={own} />
      {others.length > 0 && <OtherPatches patches={others} />}
      {isNothing && <p className={styles.muted}>No agent has reported a patch, a branch or a file yet.</p>}
    </>
  );
}

/** In the words of who made the change, and of who wanted it. @param made the run that has made it */
function WhatAndWhy({ run, made }: { run: Run; made: Run | undefined }) {
  const what = made?.answer;
  const why = run.submitted_prompt ?? run.prompt;
  return (
    <div className={styles.about}>
      {what && (
        <div className={styles.what}>
          <Markdown text={what} />
        </div>
      )}
      <p className={styles.why}>{why}</p>
    </div>
  );
}

/** Patches of earlier rounds, or of other agents. */
function OtherPatches({ patches }: { patches: readonly FoundPatch[] }) {
  return (
    <Fold title="Other patches of the family" about={patches.length}>
      <ArtifactList artifacts={patches.map(({ artifact }) => artifact)} />
    </Fold>
  );
}
