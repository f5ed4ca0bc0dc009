import { useQuery } from "@tanstack/react-query";
import { type ReactNode, Suspense, useState } from "react";
import { Tab, TabList, TabPanel, Tabs } from "react-aria-components";
import { useSearchParams } from "wouter";
import type { Run } from "../../api/models.ts";
import { conversationQuery, familyQuery } from "../../api/run-queries.ts";
import { counted } from "../../parts/counted.ts";
import { hasEnded } from "../../parts/runs/has-ended.ts";
import { Skeleton } from "../../parts/tables/skeleton.tsx";
import { later } from "../../parts/time/later.tsx";
import { Conversation } from "./conversation.tsx";
import { Result } from "./result/result.tsx";
import { Review } from "./review/review.tsx";
import styles from "./run-tabs.module.css";

const trace = later(async () => (await import("./trace.tsx")).Trace);
const details = later(async () => (await import("./details.tsx")).Details);

/** The views of a run. The address names the one that someone has chosen. */
export function RunTabs({ run }: { run: Run }) {
  const [search, setSearch] = useSearchParams();
  // What is shown stays when the run ends or asks something: its first view is then another one, and says so.
  const [atFirst] = useState(() => firstTab(run));
  const [draft, setDraft] = useState("");
  const { data: family = [] } = useQuery(familyQuery(run.run_id));
  const { data: messages } = useQuery(conversationQuery(run.run_id));
  const tab = search.get("tab") ?? atFirst;
  const go = (next: string) => setSearch({ tab: next }, { replace: true });
  const isOver = hasEnded(run.state);
  return (
    <Tabs className={styles.tabs ?? ""} selectedKey={tab} onSelectionChange={(key) => go(String(key))}>
      <TabList className={styles.list ?? ""} aria-label="Views of the run">
        <Tab id="outcome">{isOver ? "Result" : "Review"}</Tab>
        <Tab id="trace">
          Trace <Count>{family.length > 1 && counted(family.length, "run")}</Count>
        </Tab>
        <Tab id="conversation">
          Conversation <Count>{messages?.length}</Count>
        </Tab>
        <Tab id="details">Details</Tab>
      </TabList>
      <TabPanel id="outcome" className={styles.panel ?? ""}>
        {isOver ? (
          <Result run={run} onTrace={() => go("trace")} />
        ) : (
          <Review run={run} draft={draft} onDraft={setDraft} />
        )}
      </TabPanel>
      <TabPanel id="trace" className={styles.panel ?? ""}>
        <Shown>
          <trace.Part run={run} />
        </Shown>
      </TabPanel>
      <TabPanel id="conversation" className={styles.panel ?? ""}>
        <Conversation run={run} />
      </TabPanel>
      <TabPanel id="details" className={styles.panel ?? ""}>
        <Shown>
          <details.Part run={run} />
        </Shown>
      </TabPanel>
    </Tabs>
  );
}

/** What someone wants to see first: what they are asked, what is being done, or what has come of it. */
function firstTab({ state }: Run): string {
  return state === "BLOCKED" || hasEnded(state) ? "outcome" : "trace";
}

function Count({ children }: { children: ReactNode }) {
  return <span className={styles.count}>{children}</span>;
}

function Shown({ children }: { children: ReactNode }) {
  return <Suspense fallback={<Skeleton rows={8} />}>{children}</Suspense>;
}
