import { expect } from "vitest";
import { deliverySources, select } from "../../../src/store/deliveries/delivery-list.ts";
import { onSqlite } from "../../given/postgres.ts";
import { aStore } from "../../given/store.ts";

const webhooks = [{ factoryUid: "factory", uid: "webhook" }];

onSqlite.each([
  { failed: true },
  { failed: true, webhooks },
  { failed: false },
  { failed: false, started: true },
  { failed: false, started: false, webhooks },
])("deliveries of %j are read in the order of the list", async (filter) => {
  const { connection } = await aStore();
  for (const source of deliverySources(filter)) {
    for (const conditions of [[source.base], [source.base, ...source.filter]]) {
      const plan = await connection.all<{ detail: string }>(
        `EXPLAIN QUERY PLAN ${select(source, conditions)}`,
        [...source.values, "~", "", 50],
      );
      const steps = plan.map(({ detail }) => detail).join("\n");
      expect(steps).toMatch(/delivery_id>\?/);
      expect(steps).not.toMatch(/\bSCAN\b|ORDER BY|runs_in_state/);
    }
  }
});
