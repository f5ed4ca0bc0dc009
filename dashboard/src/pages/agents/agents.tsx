import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { Link } from "wouter";
import { agentActivityQuery } from "../../api/activity-queries.ts";
import { type Models, millrace } from "../../api/client.ts";
import { agentsQuery } from "../../api/queries.ts";
import { queryClient } from "../../api/query-client.ts";
import { FileLink } from "../../frame/file-link.tsx";
import { useFactory } from "../../frame/use-factory.ts";
import { useMayEdit, useMayForServer } from "../../frame/use-role.ts";
import { announce } from "../../parts/announcer.tsx";
import { Button, ButtonLink } from "../../parts/button.tsx";
import { Chip } from "../../parts/chip.tsx";
import { factoryPath } from "../../parts/factory-path.ts";
import { ConfirmDialog } from "../../parts/forms/confirm-dialog.tsx";
import { EditDelete } from "../../parts/forms/edit-delete.tsx";
import { Page } from "../../parts/page.tsx";
import { LastRun, SuccessRate } from "../../parts/runs/run-summary.tsx";
import { NameCell, TimeCell, WideCell } from "../../parts/tables/cells.tsx";
import { cellClass, muted } from "../../parts/tables/data-table.tsx";
import { EmptyState } from "../../parts/tables/empty-state.tsx";
import { Listing } from "../../parts/tables/listing.tsx";
import { AgentForm } from "./agent-form.tsx";

type Agent = Models["AgentResponse"];

const COLUMNS = [
  { title: "State" },
  { title: "Agent" },
  { title: "Factory", isWide: true },
  { title: "Last run" },
  { title: "Success", isWide: true, isRight: true },
  { title: "Runs", isWide: true, isRight: true },
  { title: "Updated", isWide: true, isRight: true },
];

const NONE = (
  <EmptyState title="No agents yet">
    Runs use the server's default agent until a definition contains an agent.
  </EmptyState>
);

/** Who does the work: the agents of definitions, and those that the API has made. */
export function Agents() {
  const { factory, factories } = useFactory();
  const agents = useQuery(agentsQuery);
  const { data: activity } = useQuery(agentActivityQuery);
  const activityOf = new Map(activity?.map((each) => [each.uid, each]));
  const mayEdit = useMayForServer("admin");
  const mayWrite = useMayEdit(factory);
  const hasOwn = mayEdit && agents.data?.some(({ factory_uid }) => factory_uid === undefined);
  const [writing, setWriting] = useState<Agent | "new">();
  const [deleting, setDeleting] = useState<Agent>();
  return (
    <Page
      title="Agents"
      lead="A factory's agents are files in agents/ of its definition. Agents without a factory belong to the server."
      actions={
        <>
          {mayEdit && <Button onPress={() => setWriting("new")}>Add agent without a factory</Button>}
          {factory && mayWrite && (
            <ButtonLink kind="main" href={`${factoryPath(factory.name, "new-file")}?kind=agent`}>
              Add agent to {factory.name}
            </ButtonLink>
          )}
        </>
      }
    >
      <Listing
        title="Agents"
        query={agents}
        columns={hasOwn ? [...COLUMNS, { title: "Actions", isRight: true }] : COLUMNS}
        empty={NONE}
      >
        {(agent) => {
          const owner = factories.find(({ uid }) => uid === agent.factory_uid);
          return (
            <tr key={agent.uid}>
              <td>
                <Chip tone={agent.available ? "green" : "amber"}>
                  {agent.available ? "Available" : "Not available"}
                </Chip>
              </td>
              <NameCell
                name={
                  <>
                    {owner ? (
                      <FileLink factory={owner} path={`agents/${agent.name}/agent.md`}>
                        {agent.name}
                      </FileLink>
                    ) : (
                      agent.name
                    )}{" "}
                    {agent.agent_type && <span className={muted}>{agent.agent_type.toLowerCase()}</span>}
                  </>
                }
                notes={[agent.description]}
              />
              <WideCell>{owner?.name ?? "—"}</WideCell>
              <td className={muted}>
                <LastRun summary={activityOf.get(agent.uid)} otherwise="never" />
              </td>
              <td className={cellClass({ isWide: true, isRight: true })}>
                <SuccessRate summary={activityOf.get(agent.uid)} />
              </td>
              <td className={cellClass({ isWide: true, isRight: true })}>
                <RunCount activity={activityOf.get(agent.uid)} />
              </td>
              <TimeCell at={agent.updated_at} isWide />
              {hasOwn &&
                (agent.factory_uid === undefined ? (
                  <EditDelete
                    name={agent.name}
                    onEdit={() => setWriting(agent)}
                    onDelete={() => setDeleting(agent)}
                  />
                ) : (
                  <td />
                ))}
            </tr>
          );
        }}
      </Listing>
      {writing && (
        <AgentForm agent={writing === "new" ? undefined : writing} onClose={() => setWriting(undefined)} />
      )}
      <ConfirmDialog
        title={`Delete ${deleting?.name}?`}
        action="Delete agent"
        {...(deleting ? { typed: deleting.name } : {})}
        isOpen={deleting !== undefined}
        onClose={() => setDeleting(undefined)}
        onConfirm={async () => deleting && remove(deleting)}
      >
        <p>Runs and schedules that request it by UID will be rejected. Its past runs still show its name.</p>
      </ConfirmDialog>
    </Page>
  );
}

/** Runs are counted up to a number. */
function RunCount({ activity }: { activity: Models["AgentActivity"] | undefined }) {
  if (!activity) return null;
  return (
    <Link href={`/runs?executor=${activity.uid}`}>
      {`${activity.runs.toLocaleString()}${activity.has_more_runs ? "+" : ""}`}
    </Link>
  );
}

async function remove({ uid, name }: Agent): Promise<void> {
  await millrace.identities.delete(uid);
  await queryClient.invalidateQueries({ queryKey: agentsQuery.queryKey });
  announce(`Deleted ${name}.`);
}
