import { keepPreviousData, useQueries, useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { type Models, millrace } from "../../api/client.ts";
import { latestDeliveriesQuery, payloadQuery } from "../../api/queries.ts";
import { clausesOf, patternOf, withPointed } from "../../editor/filter-clauses.ts";
import { Checks } from "../../parts/checks.tsx";
import { Chip } from "../../parts/chip.tsx";
import { useSettled } from "../../parts/filters/use-settled.ts";
import { Choice, Field } from "../../parts/forms/field.tsx";
import { ProblemNotice } from "../../parts/problem-notice.tsx";
import { Skeleton } from "../../parts/tables/skeleton.tsx";
import { useDeliveryOptions } from "./delivery-option.ts";
import { FilterClauses } from "./filter-clauses.tsx";
import styles from "./payload-filter.module.css";
import { PayloadPicker } from "./payload-picker.tsx";

/** Stands in the list of deliveries for a payload that someone writes. */
const OWN = "own";
const EXAMPLE = '{ "status": "failed" }';

interface PayloadFilterProps {
  factory: string;
  /** Those that the trigger selects. */
  webhooks: readonly Models["Webhook"][];
  /** As it stands in the file. */
  pattern: unknown;
  onChange: (pattern: Readonly<Record<string, unknown>> | undefined) => void;
}

/**
 * A payload filter that is made of clauses, beside a payload whose fields become clauses, and what the one makes of the
 * other.
 */
export function PayloadFilter({ factory, webhooks, pattern, onChange }: PayloadFilterProps) {
  const uids = webhooks.map(({ uid }) => uid);
  const lists = useQueries({ queries: uids.map((uid) => latestDeliveriesQuery(factory, uid)) });
  const accepted = lists.flatMap(({ data = [] }) => data.filter(({ outcome }) => outcome === "Accepted"));
  const options = useDeliveryOptions(factory, accepted, pattern);
  const [chosen, setChosen] = useState("");
  const [own, setOwn] = useState(EXAMPLE);
  const subject = chosen || accepted[0]?.delivery_id || OWN;
  const stored = useQuery({ ...payloadQuery(factory, subject), enabled: subject !== OWN });
  const payload = parsed(subject === OWN ? own : stored.data);
  const clauses = clausesOf(pattern);
  if (!clauses)
    return <p className={styles.muted}>This filter cannot be shown as a form. Edit it in the Text tab.</p>;
  return (
    <div className={styles.filter}>
      <div className={styles.side}>
        <FilterClauses clauses={clauses} onChange={(next) => onChange(patternOf(next))} />
        {payload && (
          <FilterTrial
            factory={factory}
            request={{
              webhook_ids: uids,
              ...(pattern ? { payload: pattern as Record<string, never> } : {}),
              ...(subject === OWN ? { body: payload.value } : { delivery_id: subject }),
            }}
          />
        )}
      </div>
      <div className={styles.side}>
        <Choice
          label="Test with"
          value={subject}
          onChange={setChosen}
          options={[...options, { value: OWN, label: "a custom payload" }]}
        />
        {subject === OWN && (
          <Field
            label="Payload"
            isMono
            rows={5}
            value={own}
            onChange={setOwn}
            isInvalid={!payload}
            hint={payload ? "JSON as a sender would post it." : "This is not valid JSON."}
          />
        )}
        {payload && (
          <>
            <p className={styles.muted}>Select a field to add a clause for its value.</p>
            <PayloadPicker
              key={subject}
              payload={payload.value}
              onPick={(field, value) => onChange(patternOf(withPointed(clauses, field, value)))}
            />
          </>
        )}
        {stored.isLoading && <Skeleton />}
      </div>
    </div>
  );
}

/** Nothing while it is no JSON. */
function parsed(text: string | undefined): { value: unknown } | undefined {
  if (text === undefined) return undefined;
  try {
    return { value: JSON.parse(text) };
  } catch {
    return undefined;
  }
}

/** What a filter makes of a payload while it is being written: Would trigger or not, check by check. */
function FilterTrial({ factory, request }: { factory: string; request: Models["FilterTestRequest"] }) {
  const settled = useSettled(JSON.stringify(request));
  const { data, error } = useQuery({
    queryKey: ["filter-test", factory, settled],
    queryFn: ({ signal }) => millrace.automations.testFilter(factory, JSON.parse(settled), { signal }),
    placeholderData: keepPreviousData,
    gcTime: 0,
  });
  if (error) return <ProblemNotice error={error} />;
  return (
    <div className={styles.trial}>
      {data && (
        <>
          <p role="status">
            <Chip tone={data.result === "Would trigger" ? "green" : "grey"}>{data.result}</Chip>
          </p>
          <Checks checks={data.checks} />
        </>
      )}
    </div>
  );
}
