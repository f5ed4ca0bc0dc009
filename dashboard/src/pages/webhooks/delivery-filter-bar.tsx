import { useSearchParams } from "wouter";
import { useFactory } from "../../frame/use-factory.ts";
import { Button } from "../../parts/button.tsx";
import { Choice, Field } from "../../parts/field.tsx";
import { localOf } from "../../parts/local-time.ts";
import { TypedFilter } from "../../parts/typed-filter.tsx";
import styles from "./delivery-filter-bar.module.css";
import { OUTCOMES } from "./delivery-filters.ts";

const ANY = { value: "", label: "Any" };
const STARTED = [ANY, { value: "true", label: "Started runs" }, { value: "false", label: "Started nothing" }];

/** The filters of the API; what is chosen stands in the address, to be sent to someone or come back to. */
export function DeliveryFilterBar() {
  const [search, setSearch] = useSearchParams();
  const { factories } = useFactory();
  const get = (name: string) => search.get(name) ?? "";
  const set = (name: string) => (value: string) =>
    setSearch(
      (before) => {
        const next = new URLSearchParams(before);
        if (value === "") next.delete(name);
        else next.set(name, value);
        // The row that was open may not be in the list any more.
        next.delete("delivery");
        return next;
      },
      { replace: true },
    );
  const setInstant = (name: string) => (local: string) =>
    set(name)(local === "" ? "" : new Date(local).toISOString());
  return (
    <search aria-label="Filters">
      <div className={styles.fields}>
        <Choice
          label="Outcome"
          value={get("outcome")}
          onChange={set("outcome")}
          options={[ANY, ...OUTCOMES]}
        />
        <Choice label="Runs" value={get("started")} onChange={set("started")} options={STARTED} />
        {factories.length > 1 && (
          <Choice
            label="Factory"
            value={get("factory")}
            onChange={set("factory")}
            options={[ANY, ...factories.map(({ name }) => ({ value: name, label: name }))]}
          />
        )}
        <TypedFilter label="Webhook" value={get("webhook")} onChange={set("webhook")} />
        <Field
          label="Received after"
          type="datetime-local"
          value={localOf(get("since"))}
          onChange={setInstant("since")}
        />
        <Field
          label="Received before"
          type="datetime-local"
          value={localOf(get("until"))}
          onChange={setInstant("until")}
        />
        {search.size > 0 && (
          <Button kind="quiet" onPress={() => setSearch({}, { replace: true })}>
            Clear filters
          </Button>
        )}
      </div>
    </search>
  );
}
