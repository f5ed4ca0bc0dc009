import { useState } from "react";
import { useSearchParams } from "wouter";
import type { Models } from "../../api/client.ts";
import { useFactory } from "../../frame/use-factory.ts";
import bar from "../../parts/filters/filter-bar.module.css";
import { FilterChips } from "../../parts/filters/filter-chips.tsx";
import { FilterMenu } from "../../parts/filters/filter-menu.tsx";
import { InstantFilter } from "../../parts/filters/instant-filter.tsx";
import { TypedFilter } from "../../parts/filters/typed-filter.tsx";
import { Choice } from "../../parts/forms/choice.tsx";
import styles from "./filter-bar.module.css";
import { type FilterOptions, filterText } from "./filter-words.ts";
import {
  filtersOf,
  MORE_FILTERS,
  type RunFilterField,
  valuesOf,
  withFilter,
  withoutFilters,
} from "./run-filters.ts";
import { useFilterOptions } from "./use-filter-options.ts";

const MENUS = [
  { name: "state", label: "State", isMultiple: true },
  { name: "automation_id", label: "Automation" },
  { name: "executor", label: "Agent" },
  { name: "factory_uid", label: "Factory", isMultiple: true },
  { name: "source", label: "Source", isMultiple: true },
];

/** Every filter of the API; what is chosen stands in the address, to be sent to someone or come back to. */
export function FilterBar({ runs }: { runs: readonly Models["RunItem"][] }) {
  const [search, setSearch] = useSearchParams();
  const { factories } = useFactory();
  const [opened, setOpened] = useState<ReadonlySet<string>>(new Set());
  const need = (...names: string[]) => setOpened((before) => new Set([...before, ...names]));
  const options = useFilterOptions((name) => opened.has(name) || search.has(name), runs);
  const active = filtersOf(search);
  const set = (name: string, values: readonly string[]) =>
    setSearch((before) => withFilter(before, name, values));
  const type = (name: string, value: string) =>
    setSearch((before) => withFilter(before, name, value === "" ? [] : [value]), { replace: true });
  const more = MORE_FILTERS.filter(({ name }) => search.has(name)).length;
  return (
    <search className={bar.bar} aria-label="Filters">
      <div className={bar.menus}>
        <div className={bar.search}>
          <TypedFilter
            label="Search"
            isLabelHidden
            placeholder="Search titles, prompts, skills or run IDs"
            value={search.get("q") ?? ""}
            onChange={(value) => type("q", value)}
          />
        </div>
        {MENUS.filter(({ name }) => name !== "factory_uid" || factories.length > 1).map((menu) => (
          <FilterMenu
            key={menu.name}
            {...menu}
            options={options[menu.name] ?? []}
            selected={valuesOf(search, menu.name)}
            onOpen={() => need(menu.name)}
            onChange={(values) => set(menu.name, values)}
          />
        ))}
        <FilterMenu
          label="Created"
          options={options.period ?? []}
          selected={valuesOf(search, "period")}
          onChange={(values) => set("period", values)}
        >
          <div className={styles.interval}>
            {["created_after", "created_before"].map((name, index) => (
              <InstantFilter
                key={name}
                label={index === 0 ? "From" : "Until"}
                value={search.get(name) ?? ""}
                onChange={(value) => type(name, value)}
              />
            ))}
          </div>
        </FilterMenu>
      </div>
      <details
        className={styles.more}
        open={more > 0}
        onToggle={({ currentTarget }) => currentTarget.open && need("schedule_id", "environment_id")}
      >
        <summary>More filters{more > 0 && ` (${more})`}</summary>
        <div className={styles.fields}>
          {MORE_FILTERS.map((field) => (
            <MoreFilter
              key={field.name}
              field={field}
              options={options}
              value={search.get(field.name) ?? ""}
              onChange={(value) => type(field.name, value)}
            />
          ))}
        </div>
      </details>
      <FilterChips
        filters={active.map((filter) => ({ ...filter, text: filterText(filter, options, runs) }))}
        onRemove={(name) => set(name, [])}
        onClear={() => setSearch(withoutFilters)}
      />
    </search>
  );
}

interface MoreFilterProps {
  field: RunFilterField;
  options: FilterOptions;
  value: string;
  onChange: (value: string) => void;
}

function MoreFilter({ field: { name, label, kind, hint }, options, value, onChange }: MoreFilterProps) {
  const choices = options[name];
  if (choices) {
    const isUnknown = value !== "" && !choices.some((choice) => choice.value === value);
    const all = [{ value: "", label: "Any" }, ...choices, ...(isUnknown ? [{ value, label: value }] : [])];
    return <Choice label={label} value={value} onChange={onChange} options={all} />;
  }
  if (kind === "instant") return <InstantFilter label={label} value={value} onChange={onChange} />;
  return <TypedFilter label={label} value={value} onChange={onChange} {...(hint ? { hint } : {})} />;
}
