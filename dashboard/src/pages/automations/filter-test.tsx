import { useMutation, useQueries } from "@tanstack/react-query";
import { useState } from "react";
import { type Models, millrace } from "../../api/client.ts";
import { latestDeliveriesQuery } from "../../api/queries.ts";
import { Button } from "../../parts/button.tsx";
import { Checks } from "../../parts/checks.tsx";
import { Chip } from "../../parts/chip.tsx";
import { Choice } from "../../parts/forms/field.tsx";
import { FieldRow } from "../../parts/forms/form.tsx";
import { ProblemNotice } from "../../parts/problem-notice.tsx";
import styles from "./automation.module.css";
import { useDeliveryOptions } from "./delivery-option.ts";

/** Holds the filter of a trigger against a stored delivery: whether it would trigger, and why, clause by clause. */
export function FilterTest({ factory, trigger }: { factory: string; trigger: Models["AutomationTrigger"] }) {
  const { webhooks = [], payload } = trigger;
  const uids = webhooks.flatMap(({ uid }) => uid ?? []);
  const lists = useQueries({ queries: uids.map((uid) => latestDeliveriesQuery(factory, uid)) });
  const accepted = lists.flatMap(({ data = [] }) => data.filter(({ outcome }) => outcome === "Accepted"));
  const options = useDeliveryOptions(factory, accepted, payload);
  const [chosen, setChosen] = useState("");
  const deliveryId = chosen || accepted[0]?.delivery_id;
  const test = useMutation({
    mutationFn: (delivery_id: string) =>
      millrace.automations.testFilter(factory, {
        webhook_ids: uids,
        delivery_id,
        ...(payload === undefined ? {} : { payload }),
      }),
  });
  return (
    <div className={styles.test}>
      <h3>Test filter</h3>
      {deliveryId === undefined ? (
        <p className={styles.muted}>No accepted deliveries to test against yet.</p>
      ) : (
        <FieldRow>
          <Choice
            label="Stored delivery"
            value={deliveryId}
            onChange={(id) => {
              setChosen(id);
              test.reset();
            }}
            options={options}
          />
          <Button onPress={() => test.mutate(deliveryId)} isPending={test.isPending}>
            Test filter
          </Button>
        </FieldRow>
      )}
      {test.error && <ProblemNotice error={test.error} />}
      <div role="status">
        {test.data && (
          <>
            <p>
              <Chip tone={test.data.result === "Would trigger" ? "green" : "grey"}>{test.data.result}</Chip>
            </p>
            <Checks checks={test.data.checks} />
          </>
        )}
      </div>
    </div>
  );
}
