import { useSearchParams } from "wouter";
import { useFactory } from "../../frame/use-factory.ts";
import { Button } from "../../parts/button.tsx";
import { InstantFilter } from "../../parts/filters/instant-filter.tsx";
import { TypedFilter } from "../../parts/filters/typed-filter.tsx";
import { Choice } from "../../parts/forms/field.tsx";
import styles from "./delivery-filter-bar.module.css";
import { OUTCOMES, RECEIVED, REJECTED, receivedIn } from "./delivery-filters.ts";

const ANY = { value: "", label: "Any" };
const RUNS = [
  ANY,
  { value: "started=true", label: "Started runs" },
  { value: "failed=true", label: "With a failed run" },
  { value: "started=false", label: "Started nothing" },
];

/** What is asked for most, one click each. */
const QUICK = [
  { label: "Failed runs", name: "failed", value: "true" },
  { label: "Started nothing", name: "started", value: "false" },
  { label: "Rejected", name: "outcome", value: REJECTED },
];

/** The filters of the API; what is chosen stands in the address, to be sent to someone or come back to. */
export function DeliveryFilterBar() {
  const [search, setSearch] = useSearchParams();
  const { factories } = useFactory();
  const get = (name: string) => search.get(name) ?? "";
  const change = (edit: (next: URLSearchParams) => void) =>
    setSearch(
      (before) => {
        const next = new URLSearchParams(before);
        edit(next);
        // The row that was open may not be in the list any more.
        next.delete("delivery");
        return next;
      },
      { replace: true },
    );
  const set = (name: string) => (value: string) =>
    change((next) => {
      if (value === "") next.delete(name);
      else next.set(name, value);
    });
  const setRuns = (value: string) => {
    const [name = "", is = ""] = value.split("=");
    change((next) => {
      next.delete("started");
      next.delete("failed");
      if (name) next.set(name, is);
    });
  };
  const setReceived = (value: string) =>
    change((next) => {
      for (const name of ["since", "until", "received"]) next.delete(name);
      if (value) next.set("received", value);
    });
  const received = receivedIn(search);
  const runs = search.has("failed")
    ? `failed=${get("failed")}`
    : search.has("started")
      ? `started=${get("started")}`
      : "";
  return (
    <search aria-label="Filters">
      <fieldset className={styles.quick}>
        <legend>Quick filters</legend>
        {QUICK.map(({ label, name, value }) => (
          <button
            key={label}
            type="button"
            aria-pressed={get(name) === value}
            onClick={() =>
              change((next) => {
                const isSet = next.get(name) === value;
                for (const quick of QUICK) next.delete(quick.name);
                if (!isSet) next.set(name, value);
              })
            }
          >
            {label}
          </button>
        ))}
      </fieldset>
      <div className={styles.fields}>
        <TypedFilter label="Search" value={get("q")} onChange={set("q")} placeholder="order 4711, or 47*" />
        <Choice
          label="Outcome"
          value={get("outcome")}
          onChange={set("outcome")}
          options={[ANY, ...OUTCOMES]}
        />
        <Choice label="Runs" value={runs} onChange={setRuns} options={RUNS} />
        <Choice label="Received" value={received} onChange={setReceived} options={[ANY, ...RECEIVED]} />
        {factories.length > 1 && (
          <Choice
            label="Factory"
            value={get("factory")}
            onChange={set("factory")}
            options={[ANY, ...factories.map(({ name }) => ({ value: name, label: name }))]}
          />
        )}
        <TypedFilter label="Webhook" value={get("webhook")} onChange={set("webhook")} />
        <TypedFilter label="Event" value={get("event")} onChange={set("event")} />
        {received === "custom" && (
          <>
            <InstantFilter label="Received after" value={get("since")} onChange={set("since")} />
            <InstantFilter label="Received before" value={get("until")} onChange={set("until")} />
          </>
        )}
        {search.size > 0 && (
          <Button kind="quiet" onPress={() => setSearch({}, { replace: true })}>
            Clear filters
          </Button>
        )}
      </div>
    </search>
  );
}
