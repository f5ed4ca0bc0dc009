import { useSearchParams } from "wouter";
import { useFactory } from "../../frame/use-factory.ts";
import { Button } from "../../parts/button.tsx";
import { Choice, Field } from "../../parts/field.tsx";
import { FieldRow } from "../../parts/form.tsx";
import { localOf } from "../../parts/local-time.ts";
import { TypedFilter } from "../../parts/typed-filter.tsx";
import styles from "./filter-bar.module.css";
import { MORE_FILTERS, type RunFilterField, SOURCES, STATES } from "./run-filters.ts";

const ANY = { value: "", label: "Any" };
const asOptions = (values: readonly string[]) => [ANY, ...values.map((value) => ({ value, label: value }))];

/** Every filter of the API; what is chosen stands in the address, to be sent to someone or come back to. */
export function FilterBar() {
  const [search, setSearch] = useSearchParams();
  const { factories } = useFactory();
  const set = (name: string, value: string) =>
    setSearch(
      (before) => {
        const next = new URLSearchParams(before);
        if (value === "") next.delete(name);
        else next.set(name, value);
        return next;
      },
      { replace: true },
    );
  const get = (name: string) => search.get(name) ?? "";
  const more = MORE_FILTERS.filter(({ name }) => get(name) !== "").length;
  return (
    <search className={styles.bar} aria-label="Filters">
      <FieldRow>
        <TypedFilter label="Search" value={get("q")} onChange={(value) => set("q", value)} />
        <Choice
          label="State"
          value={get("state")}
          onChange={(value) => set("state", value)}
          options={asOptions(STATES)}
        />
        <Choice
          label="Source"
          value={get("source")}
          onChange={(value) => set("source", value)}
          options={asOptions(SOURCES)}
        />
        {factories.length > 1 && (
          <Choice
            label="Factory"
            value={get("factory_uid")}
            onChange={(value) => set("factory_uid", value)}
            options={[ANY, ...factories.map(({ uid, name }) => ({ value: uid, label: name }))]}
          />
        )}
        {search.size > 0 && (
          <Button kind="quiet" onPress={() => setSearch({}, { replace: true })}>
            Clear filters
          </Button>
        )}
      </FieldRow>
      <details className={styles.more} open={more > 0}>
        <summary>More filters{more > 0 && ` (${more})`}</summary>
        <div className={styles.fields}>
          {MORE_FILTERS.map((field) => (
            <MoreFilter
              key={field.name}
              field={field}
              value={get(field.name)}
              onChange={(value) => set(field.name, value)}
            />
          ))}
        </div>
      </details>
    </search>
  );
}

interface MoreFilterProps {
  field: RunFilterField;
  value: string;
  onChange: (value: string) => void;
}

function MoreFilter({ field: { label, kind, hint }, value, onChange }: MoreFilterProps) {
  if (kind !== "instant")
    return <TypedFilter label={label} value={value} onChange={onChange} {...(hint ? { hint } : {})} />;
  return (
    <Field
      label={label}
      type="datetime-local"
      value={localOf(value)}
      onChange={(local) => onChange(local === "" ? "" : new Date(local).toISOString())}
    />
  );
}
