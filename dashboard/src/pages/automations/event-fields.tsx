import { useQuery } from "@tanstack/react-query";
import { X } from "lucide-react";
import { schemasQuery } from "../../api/file-queries.ts";
import {
  eventsOf,
  type FilterKey,
  filterKeysOf,
  filterValuesOf,
  writtenValues,
} from "../../editor/event-filters.ts";
import { isObject } from "../../editor/filter-clauses.ts";
import type { Schemas } from "../../editor/schema-at.ts";
import { Button } from "../../parts/button.tsx";
import { Choice } from "../../parts/forms/field.tsx";
import { Skeleton } from "../../parts/tables/skeleton.tsx";
import styles from "./automation-form.module.css";
import clauseStyles from "./filter-clauses.module.css";
import { ValuesField } from "./filter-clauses.tsx";

type Data = Readonly<Record<string, unknown>>;

interface EventFieldsProps {
  trigger: Data;
  onChange: (at: readonly string[], value: unknown) => void;
}

/** The event of a provider, and what it is filtered by: what the schema of the definition allows for it. */
export function EventFields({ trigger, onChange }: EventFieldsProps) {
  const { data } = useQuery(schemasQuery);
  if (!data) return <Skeleton rows={2} />;
  const schemas = data as Schemas;
  const provider = String(trigger.provider);
  const event = typeof trigger.event === "string" ? trigger.event : "";
  const events = eventsOf(schemas, provider);
  const all = events.includes(event) ? events : [event, ...events];
  const isShown = trigger.filter === undefined || trigger.filter === null || isObject(trigger.filter);
  return (
    <>
      <Choice
        label="Event"
        value={event}
        onChange={(name) => onChange(["event"], name)}
        options={all.map((name) => ({ value: name, label: name.replaceAll("_", " ") }))}
      />
      <h3>Filter</h3>
      {isShown ? (
        <EventFilter
          filter={isObject(trigger.filter) ? trigger.filter : {}}
          keys={filterKeysOf(schemas, provider, event)}
          onChange={(key, value) => onChange(["filter", key], value)}
        />
      ) : (
        <p className={styles.muted}>This filter cannot be shown as a form. Edit it in the Text tab.</p>
      )}
    </>
  );
}

interface EventFilterProps {
  filter: Data;
  keys: readonly FilterKey[];
  onChange: (key: string, value: unknown) => void;
}

function EventFilter({ filter, keys, onChange }: EventFilterProps) {
  const set = Object.keys(filter);
  const left = keys.filter(({ name }) => !set.includes(name));
  return (
    <div className={clauseStyles.clauses}>
      {set.length === 0 && <p className={styles.muted}>Without a filter, every such event starts a run.</p>}
      <ul className={clauseStyles.list} aria-label="Filter">
        {set.map((name) => (
          <FilterRow
            key={name}
            name={name}
            value={filter[name]}
            isKnown={keys.some((each) => each.name === name)}
            onChange={(value) => onChange(name, value)}
          />
        ))}
      </ul>
      {left.length > 0 && (
        <Choice
          label="Add a condition"
          value=""
          onChange={(name) => {
            const isNumber = left.find((each) => each.name === name)?.isNumber;
            if (name !== "") onChange(name, [isNumber ? 1 : ""]);
          }}
          options={[
            { value: "", label: "Choose a field" },
            ...left.map(({ name }) => ({ value: name, label: wordsOf(name) })),
          ]}
        />
      )}
    </div>
  );
}

interface FilterRowProps {
  name: string;
  value: unknown;
  /** Whether the event has such a field. */
  isKnown: boolean;
  onChange: (value: unknown) => void;
}

function FilterRow({ name, value, isKnown, onChange }: FilterRowProps) {
  const read = filterValuesOf(value);
  const words = wordsOf(name);
  return (
    <li className={clauseStyles.row}>
      <div className={clauseStyles.head}>
        <span className={clauseStyles.name}>{words}</span>
        <Button
          kind="quiet"
          isSmall
          onPress={() => onChange(undefined)}
          aria-label={`Remove the condition on ${words}`}
        >
          <X size={16} aria-hidden />
        </Button>
      </div>
      {read === undefined ? (
        <p className={styles.muted}>Edit this condition in the Text tab.</p>
      ) : (
        <>
          <Choice
            label={`Condition on ${words}`}
            isLabelHidden
            value={read.operator}
            onChange={(operator) =>
              onChange(writtenValues({ ...read, operator: operator as typeof read.operator }, undefined))
            }
            options={[
              { value: "in", label: "is one of" },
              ...(isKnown || read.operator === "not_in" ? [{ value: "not_in", label: "is none of" }] : []),
            ]}
          />
          <ValuesField
            name={words}
            values={read.values}
            onChange={(values) => onChange(writtenValues({ ...read, values }, value))}
          />
        </>
      )}
    </li>
  );
}

/** `base_branches` → "base branches" */
function wordsOf(name: string): string {
  return name.replaceAll("_", " ");
}
