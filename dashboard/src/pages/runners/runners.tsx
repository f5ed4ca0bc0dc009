import { useQuery } from "@tanstack/react-query";
import { useParams } from "wouter";
import { runnersQuery } from "../../api/queries.ts";
import { useFactory } from "../../frame/use-factory.ts";
import { DataTable, main, muted, right, wide } from "../../parts/data-table.tsx";
import { EmptyState } from "../../parts/empty-state.tsx";
import { Loaded } from "../../parts/loaded.tsx";
import { Page, Section } from "../../parts/page.tsx";
import { ReadOnlyNote } from "../../parts/read-only-note.tsx";
import { RelativeTime } from "../../parts/relative-time.tsx";

const COLUMNS = [
  { title: "Runner" },
  { title: "Image", isWide: true },
  { title: "Shape", isWide: true },
  { title: "Updated", isRight: true },
];

/** What runs execute on, as the definition says. */
export function Runners() {
  const { factory: name = "" } = useParams<{ factory: string }>();
  const { factory } = useFactory();
  const runners = useQuery(runnersQuery(name));
  return (
    <Page title="Runners" lead="What runs execute on: an image, its size, and the commands that prepare it.">
      <ReadOnlyNote factory={factory} path="runners/" />
      <Section title={`Runners of ${name}`} isFlush>
        <Loaded query={runners}>
          {(all) =>
            all.length === 0 ? (
              <EmptyState title="No runner">Runs execute as the settings of the server say.</EmptyState>
            ) : (
              <DataTable label="Runners" columns={COLUMNS}>
                {all.map(
                  ({
                    uid,
                    name: runner,
                    description,
                    docker_image,
                    instance_shape,
                    setup_commands,
                    updated_at,
                  }) => (
                    <tr key={uid}>
                      <td className={main}>
                        {runner}
                        {description && <div className={muted}>{description}</div>}
                        {setup_commands.length > 0 && (
                          <div className={muted}>prepared by {setup_commands.join(" && ")}</div>
                        )}
                      </td>
                      <td className={`${wide} ${muted}`}>
                        {docker_image ? <code>{docker_image}</code> : "—"}
                      </td>
                      <td className={`${wide} ${muted}`}>
                        {instance_shape
                          ? `${instance_shape.vcpus} vCPU, ${instance_shape.memory_gb} GB`
                          : "—"}
                      </td>
                      <td className={`${right} ${muted}`}>
                        <RelativeTime at={updated_at} />
                      </td>
                    </tr>
                  ),
                )}
              </DataTable>
            )
          }
        </Loaded>
      </Section>
    </Page>
  );
}
