import { queryOptions, useQuery } from "@tanstack/react-query";
import { BASE } from "../../api/base.ts";
import { type Models, millrace } from "../../api/client.ts";
import { MAX_ROWS } from "../../api/queries.ts";
import { Chip } from "../../parts/chip.tsx";
import { Page } from "../../parts/page.tsx";
import { NameCell, TimeCell, WideCell } from "../../parts/tables/cells.tsx";
import { muted, right } from "../../parts/tables/data-table.tsx";
import { EmptyState } from "../../parts/tables/empty-state.tsx";
import { Listing } from "../../parts/tables/listing.tsx";

/** No event tells that a server was seen. */
const LOOK_EVERY_MS = 5_000;

const serversQuery = queryOptions({
  queryKey: ["servers"],
  queryFn: () => millrace.servers.list({ limit: MAX_ROWS }).toArray(),
  refetchInterval: LOOK_EVERY_MS,
});

const COLUMNS = [
  { title: "Status" },
  { title: "Server" },
  { title: "Version", isWide: true },
  { title: "Load", isRight: true },
  { title: "Started", isWide: true, isRight: true },
  { title: "Last seen", isWide: true, isRight: true },
];

/** The servers that share the store. */
export function Servers() {
  const servers = useQuery(serversQuery);
  return (
    <Page title="Servers" lead={<Lead isOnly={servers.data?.length === 1} />}>
      <Listing
        title="Servers"
        query={servers}
        columns={COLUMNS}
        empty={<EmptyState title="There are no servers" />}
      >
        {(server) => <ServerRow key={server.uid} server={server} />}
      </Listing>
    </Page>
  );
}

function Lead({ isOnly }: { isOnly: boolean }) {
  const guide = (
    <a href={`${BASE}/docs/how-to/several-servers.md`} target="_blank" rel="noreferrer">
      Several servers
    </a>
  );
  if (isOnly)
    return <>This is the only server. Several servers can share one PostgreSQL database. See {guide}.</>;
  return (
    <>
      These servers share one PostgreSQL database. The leader polls repositories, fires schedules and deletes
      old data. See {guide}.
    </>
  );
}

/** One server: whether it is there, and how much it does. */
function ServerRow({ server }: { server: Models["Server"] }) {
  const { name, version, status, is_leader, is_this, executing, concurrency } = server;
  const isAway = status === "away";
  const title = (
    <>
      {name} {is_leader && <Chip tone="blue">Leader</Chip>}
    </>
  );
  return (
    <tr>
      <td>
        <Chip tone={isAway ? "amber" : "green"}>{isAway ? "Away" : "Connected"}</Chip>
      </td>
      <NameCell name={title} notes={is_this ? ["Responds to this page"] : []} />
      <WideCell>{version}</WideCell>
      <td className={`${right} ${muted}`}>{isAway ? "-" : `${executing} of ${concurrency}`}</td>
      <TimeCell at={server.started_at} isWide />
      <TimeCell at={server.last_seen_at} isWide />
    </tr>
  );
}
