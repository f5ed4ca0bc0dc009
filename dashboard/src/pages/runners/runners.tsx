import { useQuery } from "@tanstack/react-query";
import { useParams } from "wouter";
import { runnersQuery } from "../../api/queries.ts";
import { FileLink } from "../../frame/file-link.tsx";
import { useFactory } from "../../frame/use-factory.ts";
import { useMayEdit } from "../../frame/use-role.ts";
import { ButtonLink } from "../../parts/button.tsx";
import { factoryPath } from "../../parts/factory-path.ts";
import { Page } from "../../parts/page.tsx";
import { ReadOnlyNote } from "../../parts/read-only-note.tsx";
import { NameCell, TimeCell, WideCell } from "../../parts/tables/cells.tsx";
import { EmptyState } from "../../parts/tables/empty-state.tsx";
import { Listing } from "../../parts/tables/listing.tsx";

const COLUMNS = [
  { title: "Runner" },
  { title: "Image", isWide: true },
  { title: "Shape", isWide: true },
  { title: "Updated", isRight: true },
];

const NONE = <EmptyState title="No runners yet">Runs use the server's settings.</EmptyState>;

/** What runs execute on, as the definition says. */
export function Runners() {
  const { factory: name = "" } = useParams<{ factory: string }>();
  const { factory } = useFactory();
  const runners = useQuery(runnersQuery(name));
  return (
    <Page
      title="Runners"
      lead="A runner defines the image, the size and the setup commands for runs."
      actions={
        useMayEdit(factory) && (
          <ButtonLink kind="main" href={`${factoryPath(name, "new-file")}?kind=runner`}>
            Add runner
          </ButtonLink>
        )
      }
    >
      <ReadOnlyNote factory={factory} path="runners/" />
      <Listing title={`Runners of ${name}`} label="Runners" query={runners} columns={COLUMNS} empty={NONE}>
        {({ uid, name: runner, description, docker_image, instance_shape, setup_commands, updated_at }) => (
          <tr key={uid}>
            <NameCell
              name={
                factory ? (
                  <FileLink factory={factory} path={`runners/${runner}.yaml`}>
                    {runner}
                  </FileLink>
                ) : (
                  runner
                )
              }
              notes={[description, preparation(setup_commands)]}
            />
            <WideCell>{docker_image ? <code>{docker_image}</code> : "—"}</WideCell>
            <WideCell>
              {instance_shape ? `${instance_shape.vcpus} vCPU, ${instance_shape.memory_gb} GB` : "—"}
            </WideCell>
            <TimeCell at={updated_at} />
          </tr>
        )}
      </Listing>
    </Page>
  );
}

function preparation(commands: readonly string[]): string | undefined {
  return commands.length > 0 ? `setup: ${commands.join(" && ")}` : undefined;
}
