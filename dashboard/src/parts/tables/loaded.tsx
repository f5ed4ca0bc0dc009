import type { UseQueryResult } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { Page } from "../page.tsx";
import { ProblemNotice } from "../problem-notice.tsx";
import { Skeleton } from "./skeleton.tsx";

interface LoadedProps<Data> {
  query: UseQueryResult<Data>;
  rows?: number;
  /** The title of the page, for one that has nothing before it is loaded. */
  title?: string;
  children: (data: Data) => ReactNode;
}

/** What a query has brought; until then a skeleton, and when it fails, why. */
export function Loaded<Data>({ query, rows = 3, title, children }: LoadedProps<Data>) {
  if (query.data !== undefined) return children(query.data);
  if (title !== undefined) {
    return (
      <Page title={title}>
        <Loaded query={query} rows={rows}>
          {children}
        </Loaded>
      </Page>
    );
  }
  if (query.error) return <ProblemNotice error={query.error} onRetry={() => void query.refetch()} />;
  return <Skeleton rows={rows} />;
}
