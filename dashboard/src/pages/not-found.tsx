import { Link } from "wouter";
import { Page } from "../parts/page.tsx";
import { EmptyState } from "../parts/tables/empty-state.tsx";

/** Stands at every address that is none. */
export function NotFound() {
  return (
    <Page title="Page not found">
      <EmptyState title="There is no page at this address">
        The link may be incomplete. <Link href="/">Go to the overview</Link>.
      </EmptyState>
    </Page>
  );
}
