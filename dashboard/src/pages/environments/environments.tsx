import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { type Models, millrace } from "../../api/client.ts";
import { environmentsQuery, schedulesQuery } from "../../api/queries.ts";
import { queryClient } from "../../api/query-client.ts";
import { useMayForServer } from "../../frame/use-role.ts";
import { announce } from "../../parts/announcer.tsx";
import { Button } from "../../parts/button.tsx";
import { counted } from "../../parts/counted.ts";
import { ConfirmDialog } from "../../parts/forms/confirm-dialog.tsx";
import { EditDelete } from "../../parts/forms/edit-delete.tsx";
import { Page } from "../../parts/page.tsx";
import { NameCell, TimeCell, UidCell, WideCell } from "../../parts/tables/cells.tsx";
import { EmptyState } from "../../parts/tables/empty-state.tsx";
import { Listing } from "../../parts/tables/listing.tsx";
import { EnvironmentForm } from "./environment-form.tsx";

type Environment = Models["CloudEnvironment"];

const COLUMNS = [
  { title: "Environment" },
  { title: "Repositories", isWide: true },
  { title: "Image", isWide: true },
  { title: "UID", isWide: true },
  { title: "Updated", isRight: true, isWide: true },
];

const NONE = (
  <EmptyState
    title="No environments yet"
    command="millrace environments create --name build --repo acme/shop"
  >
    Runs without an environment start in an empty workspace.
  </EmptyState>
);

/** Repositories and preparations that runs can ask for. */
export function Environments() {
  const environments = useQuery(environmentsQuery);
  const mayEdit = useMayForServer("admin");
  const [writing, setWriting] = useState<Environment | "new">();
  const [deleting, setDeleting] = useState<Environment>();
  return (
    <Page
      title="Environments"
      lead="Repositories and setup commands that runs request by UID."
      actions={
        mayEdit && (
          <Button kind="main" onPress={() => setWriting("new")}>
            Add environment
          </Button>
        )
      }
    >
      <Listing
        title="Environments"
        query={environments}
        columns={mayEdit ? [...COLUMNS, { title: "Actions", isRight: true }] : COLUMNS}
        empty={NONE}
      >
        {(environment) => {
          const { uid, config, last_updated } = environment;
          return (
            <tr key={uid}>
              <NameCell name={config.name} notes={[config.description]} />
              <WideCell>
                {config.github_repos?.map(({ owner, repo }) => `${owner}/${repo}`).join(", ") || "—"}
              </WideCell>
              <WideCell>{config.docker_image ?? "—"}</WideCell>
              <UidCell uid={uid} />
              <TimeCell at={last_updated} isWide />
              {mayEdit && (
                <EditDelete
                  name={config.name}
                  onEdit={() => setWriting(environment)}
                  onDelete={() => setDeleting(environment)}
                />
              )}
            </tr>
          );
        }}
      </Listing>
      {writing && (
        <EnvironmentForm
          environment={writing === "new" ? undefined : writing}
          onClose={() => setWriting(undefined)}
        />
      )}
      {deleting && <DeleteEnvironment environment={deleting} onClose={() => setDeleting(undefined)} />}
    </Page>
  );
}

function DeleteEnvironment({ environment, onClose }: { environment: Environment; onClose: () => void }) {
  const { uid, config } = environment;
  const { data: schedules = [] } = useQuery(schedulesQuery);
  const users = schedules.filter(({ agent_config }) => agent_config?.environment_id === uid).length;
  const remove = async () => {
    await millrace.environments.delete(uid);
    await queryClient.invalidateQueries({ queryKey: environmentsQuery.queryKey });
    announce(`Deleted ${config.name}.`);
  };
  return (
    <ConfirmDialog
      title={`Delete ${config.name}?`}
      action="Delete environment"
      typed={config.name}
      isOpen
      onClose={onClose}
      onConfirm={remove}
    >
      <p>
        {counted(users, "schedule requests", "schedules request")} it. New runs that request it will fail;
        runs in progress are not affected. It cannot be restored: a new environment gets a new UID.
      </p>
    </ConfirmDialog>
  );
}
