import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { Link, useParams } from "wouter";
import { millrace } from "../../api/client.ts";
import type { Models, Task, TaskStage } from "../../api/models.ts";
import { moveTask } from "../../api/move-task.ts";
import { queryClient } from "../../api/query-client.ts";
import { taskConversationQuery, taskQuery, taskRunsQuery } from "../../api/task-queries.ts";
import { STAGES } from "../../api/task-stages.ts";
import { useFactory } from "../../frame/use-factory.ts";
import { useMay } from "../../frame/use-role.ts";
import { announce } from "../../parts/announcer.tsx";
import { Button } from "../../parts/button.tsx";
import { Chip } from "../../parts/chip.tsx";
import { counted } from "../../parts/counted.ts";
import { Choice } from "../../parts/forms/choice.tsx";
import { ConfirmDialog } from "../../parts/forms/confirm-dialog.tsx";
import { Page, Section } from "../../parts/page.tsx";
import { ProblemNotice } from "../../parts/problem-notice.tsx";
import { ArtifactList } from "../../parts/runs/artifact-list.tsx";
import { hasEnded } from "../../parts/runs/has-ended.ts";
import { MessageList } from "../../parts/runs/message-list.tsx";
import { STAGE_TONES, STAGE_WORDS } from "../../parts/runs/stage-words.ts";
import { Switcher } from "../../parts/switcher.tsx";
import { EmptyState } from "../../parts/tables/empty-state.tsx";
import { Loaded } from "../../parts/tables/loaded.tsx";
import { RunTable } from "../../parts/tables/run-table.tsx";
import { Skeleton } from "../../parts/tables/skeleton.tsx";
import { useAction } from "../../parts/use-action.ts";
import { useNarrow } from "../../parts/use-narrow.ts";
import { OpenQuestions } from "./open-questions.tsx";
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

/** Ends a task and all its runs, after it was said how many these are. */
export function CancelTask({ task }: { task: Task }) {
  const mayOperate = useMay("operator");
  const { data: runs } = useQuery(taskRunsQuery(task.factory_uid, task.uid));
  const [isOpen, setOpen] = useState(false);
  const open = (runs ?? []).filter(({ state }) => !hasEnded(state));
  const isOver = (task.stage === "CANCELLED" || task.stage === "COMPLETE") && open.length === 0;
  if (!mayOperate || isOver) return null;
  const blocked = open.filter(({ state }) => state === "BLOCKED").length;
  const cancel = async () => {
    await millrace.tasks.cancel(task.factory_uid, task.uid);
    announce("Cancelled the task.");
    await Promise.all(
      ["tasks", "run", "runs"].map((key) => queryClient.invalidateQueries({ queryKey: [key] })),
    );
  };
  return (
    <>
      <Button kind="danger" onPress={() => setOpen(true)}>
        Cancel task
      </Button>
      <ConfirmDialog
        title="Cancel this task?"
        action="Cancel task"
        isOpen={isOpen}
        isReady={runs !== undefined}
        onClose={() => setOpen(false)}
        onConfirm={cancel}
      >
        <p>
          The task moves to Cancelled.{" "}
          {open.length === 0
            ? "None of its runs is still open."
            : `This ends ${counted(open.length, "run")} that ${open.length === 1 ? "has" : "have"} not ended${
                blocked > 0 ? `, of which ${blocked} ${blocked === 1 ? "waits" : "wait"} for an answer` : ""
              }.`}
        </p>
        <p>
          Output and files of the runs are retained. Changes that agents made outside their workspaces are not
          undone.
        </p>
      </ConfirmDialog>
    </>
  );
}

const OPTIONS = STAGES.map((value) => ({ value, label: STAGE_WORDS[value] }));

/** The stage of a task, for who may change it. */
export function StageControl({ task }: { task: Task }) {
  const mayMove = useMay("operator");
  const isNarrow = useNarrow();
  const move = useAction<TaskStage | undefined, TaskStage>({
    send: (_, stage) => moveTask(task, stage),
    onDone: (other) => {
      if (other !== undefined) announce(`Someone else moved the task to ${STAGE_WORDS[other]}.`);
    },
    onSettled: () => queryClient.invalidateQueries({ queryKey: ["tasks"] }),
  });
  if (!mayMove) return null;
  const control = {
    label: "Stage",
    value: move.sending ?? task.stage,
    options: OPTIONS,
    onChange: (stage: string) => stage !== task.stage && move.run(stage as TaskStage),
  };
  return (
    <>
      {isNarrow ? <Choice {...control} /> : <Switcher {...control} />}
      {move.error && <ProblemNotice error={move.error} />}
    </>
  );
}
