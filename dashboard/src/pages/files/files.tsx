import { useQuery } from "@tanstack/react-query";
import { useParams } from "wouter";
import { filesQuery } from "../../api/file-queries.ts";
import { FileLink } from "../../frame/file-link.tsx";
import { useFactory } from "../../frame/use-factory.ts";
import { useMayEdit } from "../../frame/use-role.ts";
import { ButtonLink } from "../../parts/button.tsx";
import { factoryPath } from "../../parts/factory-path.ts";
import { Page } from "../../parts/page.tsx";
import { ReadOnlyNote } from "../../parts/read-only-note.tsx";
import { sizeText } from "../../parts/size-text.ts";
import { NameCell } from "../../parts/tables/cells.tsx";
import { muted, right } from "../../parts/tables/data-table.tsx";
import { EmptyState } from "../../parts/tables/empty-state.tsx";
import { Listing } from "../../parts/tables/listing.tsx";

const COLUMNS = [{ title: "File" }, { title: "Size", isRight: true }];

const NONE = (
  <EmptyState title="No files yet">
    Webhooks and automations that you add become files of the definition. Add agents and runners here.
  </EmptyState>
);

/** Every file of the active definition. */
export function Files() {
  const { factory: name = "" } = useParams<{ factory: string }>();
  const { factory } = useFactory();
  const files = useQuery(filesQuery(name));
  return (
    <Page
      title="Files"
      lead="The files of the applied definition, including all webhooks, automations, agents and runners."
      actions={
        useMayEdit(factory) && (
          <ButtonLink kind="main" href={factoryPath(name, "new-file")}>
            Add file
          </ButtonLink>
        )
      }
    >
      <ReadOnlyNote factory={factory} path="factory.yaml" />
      <Listing title={`Files of ${name}`} label="Files" query={files} columns={COLUMNS} empty={NONE}>
        {({ path, size }) => (
          <tr key={path}>
            <NameCell
              name={
                factory ? (
                  <FileLink factory={factory} path={path}>
                    <code>{path}</code>
                  </FileLink>
                ) : (
                  path
                )
              }
            />
            <td className={`${right} ${muted}`}>{sizeText(size)}</td>
          </tr>
        )}
      </Listing>
    </Page>
  );
}
