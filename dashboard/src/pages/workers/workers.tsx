import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { type Models, millrace } from "../../api/client.ts";
import { queryClient } from "../../api/query-client.ts";
import { useMayForServer } from "../../frame/use-role.ts";
import { announce } from "../../parts/announcer.tsx";
import { Button } from "../../parts/button.tsx";
import { counted } from "../../parts/counted.ts";
import { ConfirmDialog } from "../../parts/forms/confirm-dialog.tsx";
import { Page, Section } from "../../parts/page.tsx";
import { ProblemNotice } from "../../parts/problem-notice.tsx";
import { DataTable } from "../../parts/tables/data-table.tsx";
import { EmptyState } from "../../parts/tables/empty-state.tsx";
import { Loaded } from "../../parts/tables/loaded.tsx";
import { useAction } from "../../parts/use-action.ts";
import { NewWorker } from "./new-worker.tsx";
import { workersQuery } from "./worker-queries.ts";
import { WorkerRow } from "./worker-row.tsx";

type Worker = Models["Worker"];

const COLUMNS = [
  { title: "State" },
  { title: "Worker" },
  { title: "Version and platform", isWide: true },
  { title: "Load", isRight: true },
  { title: "Last seen", isWide: true, isRight: true },
  { title: "Actions", isRight: true },
];

/** Who may execute runs on other machines. */
export function Workers() {
  const workers = useQuery(workersQuery);
  const isAdmin = useMayForServer("admin");
  const [isMaking, setMaking] = useState(false);
  const [draining, setDraining] = useState<Worker>();
  const [revoking, setRevoking] = useState<Worker>();
  const ending = useAction({
    send: (_, worker: Worker) => millrace.workers.endDrain(worker.id),
    onDone: ({ name }) => announce(`Worker ${name} gets turns again.`),
    onSettled: refresh,
  });
  return (
    <Page
      title="Workers"
      lead="Workers execute runs on other machines. A definition or a request selects them with workerHost."
      actions={
        isAdmin && (
          <Button kind="main" onPress={() => setMaking(true)}>
            Create worker
          </Button>
        )
      }
    >
      {ending.error && <ProblemNotice error={ending.error} />}
      <Section title="Workers" isFlush>
        <Loaded query={workers}>
          {(all) =>
            all.length === 0 ? (
              <EmptyState title="There are no workers" command="millrace workers create NAME">
                Runs are executed on the server itself. To execute them on another machine, create a worker
                and start it there.
              </EmptyState>
            ) : (
              <DataTable label="Workers" columns={COLUMNS}>
                {all.map((worker) => (
                  <WorkerRow
                    key={worker.id}
                    worker={worker}
                    onDrain={() => setDraining(worker)}
                    onEndDrain={() => ending.run(worker)}
                    onRevoke={() => setRevoking(worker)}
                  />
                ))}
              </DataTable>
            )
          }
        </Loaded>
      </Section>
      {isMaking && <NewWorker onClose={() => setMaking(false)} />}
      <ConfirmDialog
        title={`Drain ${draining?.name}?`}
        action="Drain worker"
        isOpen={draining !== undefined}
        onClose={() => setDraining(undefined)}
        onConfirm={() => drain(draining)}
      >
        <p>
          It gets no new turns, and finishes those that it executes ({draining?.executing}). Runs that only
          this worker can execute wait until the drain ends.
        </p>
      </ConfirmDialog>
      <ConfirmDialog
        title={`Revoke ${revoking?.name}?`}
        action="Revoke worker"
        isOpen={revoking !== undefined}
        onClose={() => setRevoking(undefined)}
        onConfirm={() => revoke(revoking)}
      >
        <p>
          The worker is deleted, and its token stops working immediately in {countOf(revoking)}. The turns
          that they execute ({revoking?.executing}) cannot finish: to let turns finish, drain the worker
          first.
        </p>
      </ConfirmDialog>
    </Page>
  );
}

const countOf = (worker: Worker | undefined) =>
  counted(worker?.processes.length ?? 0, "connected process", "connected processes");

async function drain(worker: Worker | undefined): Promise<void> {
  if (!worker) return;
  await millrace.workers.drain(worker.id);
  announce(`Worker ${worker.name} gets no new turns.`);
  await refresh();
}

async function revoke(worker: Worker | undefined): Promise<void> {
  if (!worker) return;
  await millrace.workers.revoke(worker.id);
  announce("Revoked the worker.");
  await refresh();
}

const refresh = () => queryClient.invalidateQueries({ queryKey: workersQuery.queryKey });
