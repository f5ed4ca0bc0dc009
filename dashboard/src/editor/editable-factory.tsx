import type { ReactNode } from "react";
import type { Models } from "../api/client.ts";
import { useFactory } from "../frame/use-factory.ts";
import { useMay } from "../frame/use-role.ts";
import { Page, Section } from "../parts/page.tsx";
import { ReadOnlyNote } from "../parts/read-only-note.tsx";
import { EmptyState } from "../parts/tables/empty-state.tsx";
import { Skeleton } from "../parts/tables/skeleton.tsx";

interface EditableFactoryProps {
  title: string;
  /** What would be changed, to say where else that is done. */
  path: string;
  children: (factory: Models["Factory"]) => ReactNode;
}

/** What is only for who may change the definition here; everybody else who comes by its address is told why not. */
export function EditableFactory({ title, path, children }: EditableFactoryProps) {
  const { factory } = useFactory();
  const isAdmin = useMay("admin");
  if (!factory) return <Skeleton rows={6} />;
  if (factory.mode === "managed" && isAdmin) return children(factory);
  return (
    <Page title={title}>
      {factory.mode === "managed" ? (
        <Section title="Not allowed">
          <EmptyState title="Changing a definition requires a key with the admin role">
            Sign in with another key, or ask an admin.
          </EmptyState>
        </Section>
      ) : (
        <ReadOnlyNote factory={factory} path={path} />
      )}
    </Page>
  );
}

/** Stands where a file was. */
export function Gone({ title, path }: { title: string; path: string }) {
  return (
    <Page title={title}>
      <Section title="Not found">
        <EmptyState title={`File ${path} does not exist`}>
          It was deleted, or the address is wrong.
        </EmptyState>
      </Section>
    </Page>
  );
}
