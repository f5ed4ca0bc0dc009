import { useQuery } from "@tanstack/react-query";
import { Redirect, useSearch } from "wouter";
import { factoriesQuery } from "../../api/queries.ts";
import { useFactory } from "../../frame/use-factory.ts";
import { factoryPath } from "../../parts/factory-path.ts";
import { Page } from "../../parts/page.tsx";
import { EmptyState } from "../../parts/tables/empty-state.tsx";
import { Loaded } from "../../parts/tables/loaded.tsx";

/** The address without a factory leads to the board of the one that was looked at last. */
export function ToBoard() {
  const query = useQuery(factoriesQuery);
  const { factory } = useFactory();
  const search = useSearch();
  return (
    <Loaded query={query} title="Board">
      {() =>
        factory ? (
          <Redirect to={`${factoryPath(factory.name, "board")}${search && `?${search}`}`} replace />
        ) : (
          <Page title="Board">
            <EmptyState title="No factory yet">A board shows the tasks of a factory.</EmptyState>
          </Page>
        )
      }
    </Loaded>
  );
}
