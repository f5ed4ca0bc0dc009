import { useSearchParams } from "wouter";
import styles from "../../parts/filters/filter-bar.module.css";
import { FilterChips } from "../../parts/filters/filter-chips.tsx";
import { FilterMenu } from "../../parts/filters/filter-menu.tsx";
import { TypedFilter } from "../../parts/filters/typed-filter.tsx";
import { Toggle } from "../../parts/forms/toggle.tsx";
import {
  AGES,
  type BoardFilters,
  filterTexts,
  withBoardFilter,
  withoutBoardFilters,
} from "./board-filters.ts";

interface BoardFilterBarProps {
  filters: BoardFilters;
  /** Who has created the tasks that are loaded. */
  authors: readonly string[];
}

/** Which tasks a board shows; what is chosen stands in the address, to be sent to someone or come back to. */
export function BoardFilterBar({ filters, authors }: BoardFilterBarProps) {
  const [, setSearch] = useSearchParams();
  const set = (name: string, value: string) => setSearch((before) => withBoardFilter(before, name, value));
  const chosen = (value: string) => (value === "" ? [] : [value]);
  const people = [...new Set([...authors, ...chosen(filters.author)])].toSorted();
  return (
    <search className={styles.bar} aria-label="Filters">
      <div className={styles.menus}>
        <div className={styles.search}>
          <TypedFilter
            label="Search"
            isLabelHidden
            placeholder="Search titles"
            value={filters.text}
            onChange={(text) =>
              setSearch((before) => withBoardFilter(before, "q", text.trim()), { replace: true })
            }
          />
        </div>
        <FilterMenu
          label="Author"
          options={people.map((author) => ({ value: author, label: author }))}
          selected={chosen(filters.author)}
          onChange={([author = ""]) => set("author", author)}
        />
        <FilterMenu
          label="In this stage"
          options={AGES}
          selected={chosen(filters.age)}
          onChange={([age = ""]) => set("age", age)}
        />
        <Toggle
          label="Only blocked"
          isSelected={filters.isBlocked}
          onChange={(isBlocked) => set("blocked", isBlocked ? "true" : "")}
        />
      </div>
      <FilterChips
        filters={filterTexts(filters)}
        onRemove={(name) => set(name, "")}
        onClear={() => setSearch(withoutBoardFilters)}
      />
    </search>
  );
}
