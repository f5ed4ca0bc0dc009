import { useQuery } from "@tanstack/react-query";
import { ArrowRight } from "lucide-react";
import { type ReactNode, Suspense, useState } from "react";
import type { Run } from "../../../api/models.ts";
import { familyRunsQuery, runQuery } from "../../../api/run-queries.ts";
import { useMay } from "../../../frame/use-role.ts";
import { ButtonLink } from "../../../parts/button.tsx";
import { type Item, KINDS, pageOfItem } from "../../../parts/inbox-items.ts";
import { shortCostText } from "../../../parts/runs/cost-text.ts";
import { agentOf } from "../../../parts/runs/run-agent.ts";
import { workText } from "../../../parts/runs/run-figures.ts";
import { Urgency } from "../../../parts/runs/urgency.tsx";
import { Loaded } from "../../../parts/tables/loaded.tsx";
import { Skeleton } from "../../../parts/tables/skeleton.tsx";
import { Markdown } from "../../../parts/text/markdown.tsx";
import { later } from "../../../parts/time/later.tsx";
import { RelativeTime } from "../../../parts/time/relative-time.tsx";
import { FollowUpForm } from "../follow-up.tsx";
import { checksOf, costOf, patchesAskedAbout, patchesOf } from "../review/family-work.ts";
import { Answers } from "../review/question.tsx";
import { CheckRow } from "../review/review-side.tsx";
import styles from "./inbox-item.module.css";

const patchArtifact = later(
  async () => (await import("../../../parts/diff/patch-artifact.tsx")).PatchArtifact,
);

/** One item of the Inbox, with what settles it. */
export function InboxItem({ item }: { item: Item }) {
  const query = useQuery({ ...runQuery(item.run_id ?? ""), enabled: item.run_id !== undefined });
  if (item.run_id === undefined) return <Trouble item={item} />;
  return (
    <Article item={item} who={query.data && agentOf(query.data)}>
      <Loaded query={query} rows={6}>
        {(run) => <Question key={run.question?.asked_at} run={run} />}
      </Loaded>
    </Article>
  );
}

/** What no answer settles. */
function Trouble({ item }: { item: Item }) {
  const { detail, factory } = item;
  return (
    <Article item={item}>
      <p className={styles.question}>{detail}</p>
      {factory !== undefined && (
        <Facts>
          <Fact name="Factory">{factory}</Fact>
          <Fact name="Since">
            <RelativeTime at={item.since} />
          </Fact>
        </Facts>
      )}
    </Article>
  );
}

interface ArticleProps {
  item: Item;
  /** Who asks, as soon as that is known. */
  who?: string | undefined;
  children: ReactNode;
}

function Article({ item, who, children }: ArticleProps) {
  const { icon: Icon, tone, word, open } = KINDS[item.kind];
  return (
    <article className={styles.item} aria-labelledby="inbox-title">
      <header className={styles.head}>
        <Icon size={16} aria-hidden className={styles[tone]} />
        <span className={styles.who}>
          {who === undefined ? word : <strong>{who}</strong>}
          {who !== undefined && " asks"}, <RelativeTime at={item.since} />
        </span>
        {item.urgency && <Urgency question={{ urgency: item.urgency }} />}
        <span className={styles.open}>
          <ButtonLink href={pageOfItem(item)}>
            {open} <ArrowRight size={16} aria-hidden />
          </ButtonLink>
        </span>
      </header>
      <h2 id="inbox-title">{item.title}</h2>
      {children}
    </article>
  );
}

/** The question in large type, what it is about, and what answers it. */
function Question({ run }: { run: Run }) {
  const { question, status_message } = run;
  return (
    <>
      <div className={styles.question}>
        <Markdown text={question?.text ?? status_message?.message ?? ""} />
      </div>
      <Work run={run} />
      {run.state === "BLOCKED" && <Answer run={run} />}
    </>
  );
}

/** What the agents of the family have to show for it: figures first, then the change. */
function Work({ run }: { run: Run }) {
  const { data: runs = [run] } = useQuery(familyRunsQuery(run));
  const patches = patchesAskedAbout(run, patchesOf(runs));
  const checks = checksOf(run, runs);
  const cost = costOf(runs);
  const most = run.agent_config?.budget?.usdPerRun;
  const worked = workText(run);
  return (
    <>
      <Facts>
        {checks.length > 0 && (
          <Fact name="Checks">
            <ul>
              {checks.map((check) => (
                <CheckRow key={check.agent} check={check} />
              ))}
            </ul>
          </Fact>
        )}
        {worked && <Fact name="Worked">{worked}</Fact>}
        {cost !== undefined && (
          <Fact name="Cost">
            {shortCostText(cost)}
            {most !== undefined && ` of ${shortCostText(most)}`}
          </Fact>
        )}
        {run.creator.display_name && <Fact name="Started by">{run.creator.display_name}</Fact>}
      </Facts>
      {patches.map(({ artifact: { data } }) => (
        <Suspense key={data.artifact_uid} fallback={<Skeleton rows={8} />}>
          <patchArtifact.Part data={data} />
        </Suspense>
      ))}
    </>
  );
}

/** What was written so far and not sent, by the run that asks: it is still there after a look at another item. */
const drafts = new Map<string, string>();

function Answer({ run }: { run: Run }) {
  const mayOperate = useMay("operator");
  const [draft, setDraft] = useState(drafts.get(run.run_id) ?? "");
  const keep = (text: string) => {
    drafts.set(run.run_id, text);
    setDraft(text);
  };
  if (!mayOperate) return null;
  return (
    <>
      <div className={styles.decision}>
        <Answers run={run} choices={run.question?.choices ?? []} />
      </div>
      <section className={styles.answer} aria-label="Answer">
        <FollowUpForm run={run} label="Answer in your own words" draft={draft} onDraft={keep} />
      </section>
    </>
  );
}

function Facts({ children }: { children: ReactNode }) {
  return <dl className={styles.facts}>{children}</dl>;
}

function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}
