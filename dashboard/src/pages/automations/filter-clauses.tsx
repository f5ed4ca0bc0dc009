import { X } from "lucide-react";
import { useState } from "react";
import {
  type Clause,
  fieldOf,
  fieldText,
  OPERATORS,
  type Operator,
  samePath,
  valuesOf,
  valuesText,
} from "../../editor/filter-clauses.ts";
import { Button } from "../../parts/button.tsx";
import { Choice, Field } from "../../parts/forms/field.tsx";
import styles from "./filter-clauses.module.css";

interface FilterClausesProps {
  clauses: readonly Clause[];
  onChange: (clauses: Clause[]) => void;
}

/** A payload filter, a line for each of its clauses; all of them have to hold. */
export function FilterClauses({ clauses, onChange }: FilterClausesProps) {
  return (
    <div className={styles.clauses}>
      {clauses.length === 0 && (
        <p className={styles.muted}>No clauses yet: every delivery to these webhooks starts a run.</p>
      )}
      <ul className={styles.list} aria-label="Clauses">
        {clauses.map((clause, place) => (
          <ClauseRow
            key={`${fieldText(clause.field)} ${before(clauses, place)}`}
            clause={clause}
            onChange={(next) => onChange(clauses.with(place, next))}
            onRemove={() => onChange(clauses.toSpliced(place, 1))}
          />
        ))}
      </ul>
      <NewClause clauses={clauses} onAdd={(clause) => onChange([...clauses, clause])} />
    </div>
  );
}

/** A field may have a clause of each operator. */
function before(clauses: readonly Clause[], place: number): number {
  const { field = [] } = clauses[place] ?? {};
  return clauses.slice(0, place).filter((each) => samePath(each.field, field)).length;
}

interface ClauseRowProps {
  clause: Clause;
  onChange: (clause: Clause) => void;
  onRemove: () => void;
}

function ClauseRow({ clause, onChange, onRemove }: ClauseRowProps) {
  const { field, operator, values } = clause;
  const name = fieldText(field);
  const hasValues = operator === "in" || operator === "not_in";
  return (
    <li className={styles.row}>
      <div className={styles.head}>
        <code className={styles.name}>{name}</code>
        <Button kind="quiet" isSmall onPress={onRemove} aria-label={`Remove the clause on ${name}`}>
          <X size={16} aria-hidden />
        </Button>
      </div>
      <Choice
        label={`Condition on ${name}`}
        isLabelHidden
        value={operator}
        onChange={(next) => onChange(withOperator(clause, next as Operator))}
        options={OPERATORS}
      />
      {hasValues && (
        <ValuesField name={name} values={values} onChange={(next) => onChange({ ...clause, values: next })} />
      )}
    </li>
  );
}

/** A list needs a value. */
function withOperator(clause: Clause, operator: Operator): Clause {
  if (operator === "exists" || operator === "absent") return { ...clause, operator, values: [] };
  return { ...clause, operator, values: clause.values.length > 0 ? clause.values : [""] };
}

interface ValuesFieldProps {
  name: string;
  values: Clause["values"];
  onChange: (values: Clause["values"]) => void;
}

/** Keeps what is being written until it can be read, and is what it was told when someone else has changed it. */
export function ValuesField({ name, values, onChange }: ValuesFieldProps) {
  const [text, setText] = useState(() => valuesText(values));
  const read = valuesOf(text);
  const isOwn = read === undefined || JSON.stringify(read) === JSON.stringify(values);
  const change = (next: string) => {
    setText(next);
    const now = valuesOf(next);
    if (now) onChange(now);
  };
  return (
    <Field
      label={`Values of ${name}`}
      isLabelHidden
      isMono
      value={isOwn ? text : valuesText(values)}
      onChange={change}
      isInvalid={read === undefined}
      {...(read === undefined ? { hint: "Comma-separated values: failed, 3, true" } : {})}
    />
  );
}

function NewClause({ clauses, onAdd }: { clauses: readonly Clause[]; onAdd: (clause: Clause) => void }) {
  const [text, setText] = useState("");
  const field = fieldOf(text);
  const isTaken = field !== undefined && clauses.some((clause) => samePath(clause.field, field));
  const add = () => {
    if (!field || isTaken) return;
    onAdd({ field, operator: "exists", values: [] });
    setText("");
  };
  return (
    <div className={styles.more}>
      <Field
        label="Another field"
        placeholder="pull_request.head.ref"
        isMono
        value={text}
        onChange={setText}
        onKeyDown={({ key }) => key === "Enter" && add()}
        {...(isTaken ? { hint: "This field already has a clause." } : {})}
      />
      <Button onPress={add} isDisabled={!field || isTaken}>
        Add clause
      </Button>
    </div>
  );
}
