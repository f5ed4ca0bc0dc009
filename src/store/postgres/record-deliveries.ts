import { type CallOutcome, commitTogether } from "../group-commit.ts";
import type { Store } from "../store.ts";
import type { StoreCall } from "../store-call.ts";
import { acceptDeliveries } from "./accept-deliveries.ts";
import type { PostgresConnection } from "./postgres-connection.ts";

/**
 * Records deliveries that came together. Most are new, and nothing has changed since they were matched: those share a statement. The
 * others are looked at in turn.
 */
export async function recordDeliveries(
  connection: PostgresConnection,
  ports: Store,
  calls: readonly StoreCall[],
): Promise<CallOutcome[]> {
  const accepted = await acceptDeliveries(connection, calls);
  const others = calls.filter((call) => !accepted.has(call));
  const outcomes = others.length > 0 ? await commitTogether(connection, ports, others) : [];
  return calls.map((call) => accepted.get(call) ?? (outcomes.shift() as CallOutcome));
}
