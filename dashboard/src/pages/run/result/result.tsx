import { useQuery } from "@tanstack/react-query";
import { CircleCheck, CircleDashed, CircleMinus, CircleX, GitPullRequest } from "lucide-react";
import type { ReactNode } from "react";
import { Link } from "wouter";
import type { Models, Run } from "../../../api/models.ts";
import { familyRunsQuery, pullRequestsQuery, runsBeforeQuery } from "../../../api/run-queries.ts";
import { pullRequestName } from "../../../parts/runs/pull-request-name.ts";
import { agentOf } from "../../../parts/runs/run-agent.ts";
import { runCostText, workText } from "../../../parts/runs/run-figures.ts";
import { Copyable } from "../../../parts/text/copyable.tsx";
import { Json } from "../../../parts/text/json.tsx";
import { Markdown } from "../../../parts/text/markdown.tsx";
import { OutsideLink } from "../../../parts/text/outside-link.tsx";
import { RelativeTime } from "../../../parts/time/relative-time.tsx";
import { RUN_WORDS } from "../../../parts/tones.ts";
import { FamilyCost, WorkedOnIt } from "../review/review-side.tsx";
import { SideRow, SideSection, WithSide } from "../side.tsx";
import { ArtifactViews } from "./artifact-views.tsx";
import { Failure } from "./failure.tsx";
import styles from "./result.module.css";

/** What has come of a run that has ended. */
export function Result({ run, onTrace }: { run: Run; onTrace: () => void }) {
  const hasFailed = run.state === "FAILED" || run.state === "ERROR";
  return (
    <WithSide side={<ResultSide run={run} />}>
      <section className={styles.result} aria-label="Result">
        {hasFailed ? <Failure run={run} onTrace={onTrace} /> : <EndNote run={run} />}
        <PullRequests run={run} />
        {(run.answer || run.answer_json != null) && (
          <section className={styles.answer} aria-label="Answer">
            {run.answer_json != null ? (
              <Json value={run.answer_json} />
            ) : (
              <Markdown text={run.answer ?? ""} />
            )}
          </section>
        )}
        <ArtifactViews artifacts={(run.artifacts ?? []).filter((artifact) => !isPullRequest(artifact))} />
        {run.state === "SUCCEEDED" && !run.answer && !run.artifacts?.length && (
          <p className={styles.none}>The agent left no answer, links or files.</p>
        )}
      </section>
    </WithSide>
  );
}

/** Who has ended it, and why. */
function EndNote({ run: { status_message: status } }: { run: Run }) {
  if (!status?.message) return null;
  return (
    <div className={styles.ended} role="note">
      <p>{status.message}</p>
    </div>
  );
}

type Artifact = Models["Artifact"];
const isPullRequest = ({ artifact_type }: Artifact) => artifact_type === "PULL_REQUEST";

/** The pull requests of a run, with what deliveries of their forge report about them. */
function PullRequests({ run: { artifacts = [], factory_uid: factory } }: { run: Run }) {
  const reported = artifacts.filter(isPullRequest);
  const { data: known = [] } = useQuery({
    ...pullRequestsQuery(factory ?? ""),
    enabled: reported.length > 0 && factory !== undefined,
  });
  if (reported.length === 0) return null;
  return (
    <ul className={styles.requests} aria-label="Pull requests">
      {reported.map(({ data }) => {
        const { title, state, additions, deletions } = known.find(({ url }) => url === data.url) ?? {};
        const name = pullRequestName(data.url ?? "");
        return (
          <li key={data.artifact_uid}>
            <GitPullRequest size={16} aria-hidden />
            <OutsideLink href={data.url}>
              {name ? `${name.repository}#${name.number}` : data.title || data.url || "Pull request"}
            </OutsideLink>
            {(title ?? data.title) && <span>{title ?? data.title}</span>}
            {data.branch && <code className={styles.none}>{data.branch}</code>}
            {additions != null && deletions != null && (
              <span className={styles.none}>
                +{additions} −{deletions}
              </span>
            )}
            <span className={styles.state}>{state ?? "State not reported"}</span>
          </li>
        );
      })}
    </ul>
  );
}

/** What it has cost, who has worked on it, and how the runs before it went. */
function ResultSide({ run }: { run: Run }) {
  const { data: runs = [run] } = useQuery(familyRunsQuery(run));
  const { data: before = [] } = useQuery(runsBeforeQuery(run));
  const { harness, model_id: model } = run.agent_config;
  return (
    <>
      <FamilyCost runs={runs} />
      <WorkedOnIt runs={runs} />
      {before.length > 0 && (
        <SideSection title="Before this">
          {before.map((each) => (
            <SideRow
              key={each.run_id}
              icon={<StateIcon state={each.state} />}
              figure={[runCostText(each), workText(each)].filter(Boolean).join(", ")}
            >
              <Link href={`/runs/${each.run_id}`}>
                <RelativeTime at={each.created_at} />
              </Link>
            </SideRow>
          ))}
        </SideSection>
      )}
      <SideSection title="Where">
        <SideRow figure={agentOf(run)}>Agent</SideRow>
        {(harness?.type || model) && (
          <SideRow figure={[harness?.type, model].filter(Boolean).join(", ")}>Harness</SideRow>
        )}
        <SideRow figure={<Copyable text={run.run_id} short={run.run_id.slice(0, 8)} what="the run ID" />}>
          Run
        </SideRow>
      </SideSection>
    </>
  );
}

function StateIcon({ state }: { state: Run["state"] }): ReactNode {
  const props = { size: 16, role: "img", "aria-label": RUN_WORDS[state] };
  if (state === "SUCCEEDED") return <CircleCheck {...props} className={styles.good} />;
  if (state === "FAILED" || state === "ERROR") return <CircleX {...props} className={styles.bad} />;
  if (state === "CANCELLED") return <CircleMinus {...props} className={styles.none} />;
  return <CircleDashed {...props} className={styles.none} />;
}
