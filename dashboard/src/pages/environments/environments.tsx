import { useQuery } from "@tanstack/react-query";
import { environmentsQuery } from "../../api/queries.ts";
import { NameCell, TimeCell, UidCell, WideCell } from "../../parts/cells.tsx";
import { EmptyState } from "../../parts/empty-state.tsx";
import { Listing } from "../../parts/listing.tsx";
import { Page } from "../../parts/page.tsx";

const COLUMNS = [
  { title: "Environment" },
  { title: "Repositories", isWide: true },
  { title: "Image", isWide: true },
  { title: "Uid", isWide: true },
  { title: "Updated", isRight: true },
];

const NONE = (
  <EmptyState title="No environment yet" command="millrace environments create --name build --repo acme/shop">
    Runs that ask for none begin in an empty workspace.
  </EmptyState>
);

/** Repositories and preparations that runs can ask for. */
export function Environments() {
  const environments = useQuery(environmentsQuery);
  return (
    <Page title="Environments" lead="Repositories and preparations that runs can ask for by their uid.">
      <Listing title="Environments" query={environments} columns={COLUMNS} empty={NONE}>
        {({ uid, config, last_updated }) => (
          <tr key={uid}>
            <NameCell name={config.name} notes={[config.description]} />
            <WideCell>
              {config.github_repos?.map(({ owner, repo }) => `${owner}/${repo}`).join(", ") || "—"}
            </WideCell>
            <WideCell>{config.docker_image ?? "—"}</WideCell>
            <UidCell uid={uid} />
            <TimeCell at={last_updated} />
          </tr>
        )}
      </Listing>
    </Page>
  );
}
