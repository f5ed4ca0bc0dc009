import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { type Models, millrace } from "../../api/client.ts";
import { secretsQuery } from "../../api/queries.ts";
import { queryClient } from "../../api/query-client.ts";
import { SetSecret } from "../../frame/set-secret.tsx";
import { useMay } from "../../frame/use-role.ts";
import { announce } from "../../parts/announcer.tsx";
import { Button } from "../../parts/button.tsx";
import { ConfirmDialog } from "../../parts/forms/confirm-dialog.tsx";
import { Page } from "../../parts/page.tsx";
import { ActionCell, NameCell, TimeCell, WideCell } from "../../parts/tables/cells.tsx";
import { muted } from "../../parts/tables/data-table.tsx";
import { EmptyState } from "../../parts/tables/empty-state.tsx";
import { Listing } from "../../parts/tables/listing.tsx";
import { SecretUsers } from "./secret-users.tsx";

const COLUMNS = [
  { title: "Name" },
  { title: "Factories", isWide: true },
  { title: "Used by" },
  { title: "Updated", isWide: true, isRight: true },
];

const NONE = (
  <EmptyState title="No secrets yet" command="millrace secrets set CI_SECRET --value-file secret.txt">
    Definitions refer to secrets by name. Set their values here or with the command line.
  </EmptyState>
);

/** The names of what is kept secret. No value is ever shown: the API has no way to read one. */
export function Secrets() {
  const secrets = useQuery(secretsQuery);
  const maySet = useMay("admin");
  const [setting, setSetting] = useState<Models["Secret"] | "a new one">();
  const [deleting, setDeleting] = useState<Models["Secret"]>();
  return (
    <Page
      title="Secrets"
      lead="Values that webhooks and agents use by name. Secrets are write-only."
      actions={
        maySet && (
          <Button kind="main" onPress={() => setSetting("a new one")}>
            Set secret
          </Button>
        )
      }
    >
      <Listing
        title="Secrets"
        label="Secrets"
        query={secrets}
        columns={maySet ? [...COLUMNS, { title: "Actions", isRight: true }] : COLUMNS}
        empty={NONE}
      >
        {(secret) => (
          <tr key={secret.name}>
            <NameCell name={<code>{secret.name}</code>} />
            <WideCell>{usersOf(secret)}</WideCell>
            <td className={muted}>
              <SecretUsers users={secret.used_by} />
            </td>
            <TimeCell at={secret.updated_at} isWide />
            {maySet && (
              <ActionCell>
                <Button isSmall onPress={() => setSetting(secret)} aria-label={`Update ${secret.name}`}>
                  Update
                </Button>{" "}
                <Button
                  isSmall
                  kind="danger"
                  onPress={() => setDeleting(secret)}
                  aria-label={`Delete ${secret.name}`}
                >
                  Delete
                </Button>
              </ActionCell>
            )}
          </tr>
        )}
      </Listing>
      {setting !== undefined && (
        <SetSecret
          secret={setting === "a new one" ? undefined : setting}
          onClose={() => setSetting(undefined)}
        />
      )}
      <ConfirmDialog
        title={`Delete ${deleting?.name}?`}
        action="Delete secret"
        {...(deleting === undefined ? {} : { typed: deleting.name })}
        isOpen={deleting !== undefined}
        onClose={() => setDeleting(undefined)}
        onConfirm={() => remove(deleting?.name ?? "")}
      >
        {deleting && deleting.used_by.length > 0 && (
          <p>
            Used by <SecretUsers users={deleting.used_by} isWhole />.
          </p>
        )}
        <p>Its value cannot be recovered. The server refuses to delete a secret that a definition uses.</p>
      </ConfirmDialog>
    </Page>
  );
}

/** Of a secret that no factory may use, runs and webhooks that name it go without. */
function usersOf({ shared, factories, of_server }: Models["Secret"]): string {
  if (shared) return "all";
  if (factories.length > 0) return factories.join(", ");
  return of_server ? "the server" : "none";
}

async function remove(name: string): Promise<void> {
  await millrace.secrets.delete(name);
  await queryClient.invalidateQueries({ queryKey: secretsQuery.queryKey });
  announce(`Deleted ${name}.`);
}
