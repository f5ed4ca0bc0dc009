import { useQuery } from "@tanstack/react-query";
import type { Models } from "../../api/client.ts";
import { networkQuery } from "../../api/run-queries.ts";
import { counted } from "../../parts/counted.ts";
import { Fold } from "../../parts/fold.tsx";
import { DataTable, main, muted, right, roomy } from "../../parts/tables/data-table.tsx";

type Reason = Models["RunNetwork"]["refused"][number]["reason"];

/** What a person reads for the reason of a refusal. */
const REASONS: Readonly<Record<Reason, string>> = {
  not_allowed: "Not in the allowlist",
  private_address: "A private address that the allowlist does not name",
  host_mismatch: "Another host was asked for inside of the connection",
  invalid: "Not a valid request",
  unresolved: "The name could not be resolved",
  unreachable: "Could not be reached",
  too_many_connections: "Too many open connections",
  over_budget: "The budget of the run is used up",
};

const COLUMNS = [{ title: "Host" }, { title: "Requests", isRight: true }, { title: "Result" }];

/** The hosts that the run reached and was refused; nothing where its network is not limited. */
export function RunNetwork({ runId }: { runId: string }) {
  const { data } = useQuery(networkQuery(runId));
  if (!data || data.reached.length + data.refused.length === 0) return null;
  const { reached, refused } = data;
  const about = [
    counted(reached.length, "host"),
    ...(refused.length > 0 ? [`${refused.length} refused`] : []),
  ].join(", ");
  return (
    <Fold title="Network" about={about}>
      <DataTable label="Hosts" columns={COLUMNS}>
        {reached.map((one) => (
          <HostRow key={`${one.host} ${one.port}`} {...one} result="Reached" />
        ))}
        {refused.map(({ reason, ...one }) => (
          <HostRow
            key={`${one.host} ${one.port} ${reason}`}
            {...one}
            result={`Refused: ${REASONS[reason]}`}
          />
        ))}
      </DataTable>
    </Fold>
  );
}

function HostRow({ host, port, requests, result }: HostRowProps) {
  return (
    <tr>
      <td className={main}>{port === 0 ? host : `${host}:${port}`}</td>
      <td className={right}>{requests}</td>
      <td className={`${muted} ${roomy}`}>{result}</td>
    </tr>
  );
}

type HostRowProps = Models["RunNetwork"]["reached"][number] & { result: string };
