import { useSearchParams } from "wouter";
import { useFactory } from "../../frame/use-factory.ts";
import { Button } from "../../parts/button.tsx";
import { InstantFilter } from "../../parts/filters/instant-filter.tsx";
import { TypedFilter } from "../../parts/filters/typed-filter.tsx";
import { Choice } from "../../parts/forms/field.tsx";
import styles from "./audit-log.module.css";

/** The filters of the API; what is chosen stands in the address, to be sent to someone or come back to. */
export function AuditFilterBar() {
  const [search, setSearch] = useSearchParams();
  const { factories } = useFactory();
  const get = (name: string) => search.get(name) ?? "";
  const set = (name: string) => (value: string) =>
    setSearch(
      (before) => {
        const next = new URLSearchParams(before);
        if (value === "") next.delete(name);
        else next.set(name, value);
        return next;
      },
      { replace: true },
    );
  return (
    <search aria-label="Filters">
      <div className={styles.fields}>
        <TypedFilter label="Actor" value={get("actor")} onChange={set("actor")} />
        <TypedFilter label="Action" value={get("action")} onChange={set("action")} />
        {factories.length > 1 && (
          <Choice
            label="Factory"
            value={get("factory")}
            onChange={set("factory")}
            options={[
              { value: "", label: "Any" },
              ...factories.map(({ name }) => ({ value: name, label: name })),
            ]}
          />
        )}
        <InstantFilter label="After" value={get("since")} onChange={set("since")} />
        <InstantFilter label="Before" value={get("until")} onChange={set("until")} />
        {search.size > 0 && (
          <Button kind="quiet" onPress={() => setSearch({}, { replace: true })}>
            Clear filters
          </Button>
        )}
      </div>
    </search>
  );
}
