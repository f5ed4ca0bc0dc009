import type { AcceptableDelivery, Recorded } from "../../src/ingress/delivery.ts";
import { aFactory } from "./factory.ts";
import type { aStore } from "./store.ts";

/** Records a delivery under what its factory serves now; of a factory that is gone, as it was done before that. */
export async function recordDelivery(
  { deliveries, factories, connection }: Awaited<ReturnType<typeof aStore>>,
  delivery: AcceptableDelivery,
): Promise<Recorded> {
  const { factoryUid } = delivery;
  const sql = "SELECT generation FROM factories WHERE uid = $1";
  const found = await connection.first<{ generation: number }>(sql, [factoryUid]);
  if (!found) await factories.create({ ...aFactory(factoryUid), uid: factoryUid });
  const recorded = await deliveries.record({ ...delivery, generation: found?.generation ?? 0 });
  if (!found) await connection.run("DELETE FROM factories WHERE uid = $1", [factoryUid]);
  if (recorded.outcome === "Outdated") throw new Error("the factory has changed meanwhile");
  return recorded;
}
