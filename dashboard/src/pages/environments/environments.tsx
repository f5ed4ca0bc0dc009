import { useQuery } from "@tanstack/react-query";
import { environmentsQuery } from "../../api/queries.ts";
import { Copyable } from "../../parts/copyable.tsx";
import { DataTable, main, muted, right, wide } from "../../parts/data-table.tsx";
import { EmptyState } from "../../parts/empty-state.tsx";
import { Loaded } from "../../parts/loaded.tsx";
import { Page, Section } from "../../parts/page.tsx";
import { RelativeTime } from "../../parts/relative-time.tsx";

const COLUMNS = [
  { title: "Environment" },
  { title: "Repositories", isWide: true },
  { title: "Image", isWide: true },
  { title: "Uid", isWide: true },
  { title: "Updated", isRight: true },
];

/** Repositories and preparations that runs can ask for. */
export function Environments() {
  const environments = useQuery(environmentsQuery);
  return (
    <Page title="Environments" lead="Repositories and preparations that runs can ask for by their uid.">
      <Section title="Environments" isFlush>
        <Loaded query={environments}>
          {(all) =>
            all.length === 0 ? (
              <EmptyState
                title="No environment yet"
                command="millrace environments create --name build --repo acme/shop"
              >
                Runs that ask for none begin in an empty workspace.
              </EmptyState>
            ) : (
              <DataTable label="Environments" columns={COLUMNS}>
                {all.map(({ uid, config, last_updated }) => (
                  <tr key={uid}>
                    <td className={main}>
                      {config.name}
                      {config.description && <div className={muted}>{config.description}</div>}
                    </td>
                    <td className={`${wide} ${muted}`}>
                      {config.github_repos?.map(({ owner, repo }) => `${owner}/${repo}`).join(", ") || "—"}
                    </td>
                    <td className={`${wide} ${muted}`}>{config.docker_image ?? "—"}</td>
                    <td className={`${wide} ${muted}`}>
                      <Copyable text={uid} what="the uid" />
                    </td>
                    <td className={`${right} ${muted}`}>
                      <RelativeTime at={last_updated} />
                    </td>
                  </tr>
                ))}
              </DataTable>
            )
          }
        </Loaded>
      </Section>
    </Page>
  );
}
