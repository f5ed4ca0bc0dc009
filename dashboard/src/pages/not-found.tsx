import { Link } from "wouter";
import { EmptyState } from "../parts/empty-state.tsx";
import { Page } from "../parts/page.tsx";

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
