import { useQuery } from "@tanstack/react-query";
import { Link, useParams } from "wouter";
import type { Models, Task } from "../../api/models.ts";
import { taskConversationQuery, taskQuery, taskRunsQuery } from "../../api/task-queries.ts";
import { useFactory } from "../../frame/use-factory.ts";
import { Chip } from "../../parts/chip.tsx";
import { Page, Section } from "../../parts/page.tsx";
import { ArtifactList } from "../../parts/runs/artifact-list.tsx";
import { MessageList } from "../../parts/runs/message-list.tsx";
import { STAGE_TONES, STAGE_WORDS } from "../../parts/runs/stage-words.ts";
import { EmptyState } from "../../parts/tables/empty-state.tsx";
import { Loaded } from "../../parts/tables/loaded.tsx";
import { RunTable } from "../../parts/tables/run-table.tsx";
import { Skeleton } from "../../parts/tables/skeleton.tsx";
import { CancelTask } from "./cancel-task.tsx";
import { OpenQuestions } from "./open-questions.tsx";
import { StageControl } from "./stage-control.tsx";
import { TaskOrigin } from "./task-origin.tsx";
import styles from "./task-page.module.css";

/** One task: its stage, what it waits for, what has come of it, and all that was said about it. */
export function TaskPage() {
  const { factory: name = "", uid = "" } = useParams<{ factory: string; uid: string }>();
  const { factories } = useFactory();
  const factory = factories.find((each) => each.name === name || each.uid === name);
  if (!factory) return <Skeleton rows={8} />;
  return <TaskOf key={uid} factory={factory} uid={uid} />;
}

function TaskOf({ factory, uid }: { factory: Models["Factory"]; uid: string }) {
  const query = useQuery(taskQuery(factory.uid, uid));
  return (
    <Loaded query={query} rows={8} title="Task">
      {(task) => (
        <Page
          title={task.title}
          mark={<Chip tone={STAGE_TONES[task.stage]}>{STAGE_WORDS[task.stage]}</Chip>}
          lead={<TaskOrigin task={task} factory={factory.name} />}
          actions={<CancelTask task={task} />}
        >
          <StageControl task={task} />
          <OpenQuestions task={task} />
          <Outcome task={task} />
          <TaskRuns task={task} />
          <TaskConversation task={task} />
        </Page>
      )}
    </Loaded>
  );
}

/** What it is about, and the links and files of its runs. */
function Outcome({ task: { description, outputs = [] } }: { task: Task }) {
  return (
    <>
      {description && (
        <Section title="Description">
          <p className={styles.description}>{description}</p>
        </Section>
      )}
      {outputs.length > 0 && (
        <Section title="Links and files">
          <ArtifactList artifacts={outputs} />
        </Section>
      )}
    </>
  );
}

function TaskRuns({ task: { factory_uid, uid } }: { task: Task }) {
  const query = useQuery(taskRunsQuery(factory_uid, uid));
  return (
    <Section title="Runs" isFlush>
      <Loaded query={query}>
        {(runs) =>
          runs.length === 0 ? (
            <EmptyState title="No runs">The runs of this task are no longer stored.</EmptyState>
          ) : (
            <RunTable runs={runs} label="Runs of this task" />
          )
        }
      </Loaded>
    </Section>
  );
}

function TaskConversation({ task: { factory_uid, uid } }: { task: Task }) {
  const query = useQuery(taskConversationQuery(factory_uid, uid));
  return (
    <Section title="Conversation">
      <Loaded query={query}>
        {(messages) =>
          messages.length === 0 ? (
            <p>No messages yet.</p>
          ) : (
            <MessageList
              messages={messages.map(({ message, run_id, agent }) => ({ ...message, run_id, agent }))}
              about={RunOfMessage}
            />
          )
        }
      </Loaded>
    </Section>
  );
}

/** The run that a message belongs to. */
function RunOfMessage({ run_id, agent }: Pick<Models["TaskMessage"], "run_id" | "agent">) {
  return <Link href={`/runs/${run_id}`}>run of {agent}</Link>;
}
