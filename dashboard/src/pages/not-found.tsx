import { Link } from "wouter";
import { EmptyState } from "../parts/empty-state.tsx";
import { Page } from "../parts/page.tsx";

/** Stands at every address that is none. */
export function NotFound() {
  return (
    <Page title="There is no such page">
      <EmptyState title="Nothing is at this address">
        The link may be cut off. <Link href="/">Go to the overview</Link>.
      </EmptyState>
    </Page>
  );
}
