import type { UseQueryResult } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { Section } from "../page.tsx";
import { type Column, DataTable } from "./data-table.tsx";
import { Loaded } from "./loaded.tsx";

interface ListingProps<Item> {
  title: string;
  /** What the table holds, where the title says more than that. */
  label?: string;
  query: UseQueryResult<readonly Item[]>;
  columns: readonly Column[];
  /** What stands there while there is nothing: an `EmptyState`. */
  empty: ReactNode;
  /** What stands at the right of the title. */
  aside?: ReactNode;
  /** The row of one: `<tr>`, with its key. */
  children: (item: Item) => ReactNode;
}

/** Everything of one kind, in a table; while there is nothing, how there comes to be something. */
export function Listing<Item>(props: ListingProps<Item>) {
  const { title, label = title, query, columns, empty, aside, children } = props;
  return (
    <Section title={title} isFlush aside={aside}>
      <Loaded query={query}>
        {(items) =>
          items.length === 0 ? (
            empty
          ) : (
            <DataTable label={label} columns={columns}>
              {items.map(children)}
            </DataTable>
          )
        }
      </Loaded>
    </Section>
  );
}
