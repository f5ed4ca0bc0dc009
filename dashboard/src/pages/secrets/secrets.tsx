import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { millrace } from "../../api/client.ts";
import { secretsQuery } from "../../api/queries.ts";
import { queryClient } from "../../api/query-client.ts";
import { useMayForServer } from "../../frame/use-role.ts";
import { announce } from "../../parts/announcer.tsx";
import { Button } from "../../parts/button.tsx";
import { ActionCell, NameCell, TimeCell } from "../../parts/cells.tsx";
import { ConfirmDialog } from "../../parts/confirm-dialog.tsx";
import { EmptyState } from "../../parts/empty-state.tsx";
import { Listing } from "../../parts/listing.tsx";
import { Page } from "../../parts/page.tsx";
import { SetSecret } from "./set-secret.tsx";

const COLUMNS = [{ title: "Name" }, { title: "Updated", isWide: true, isRight: true }];

const NONE = (
  <EmptyState title="No secret yet" command="millrace secrets set CI_SECRET --value-file secret.txt">
    Definitions name secrets; their values are set here or by the command line.
  </EmptyState>
);

/** The names of what is kept secret. No value is ever shown: the API has no way to read one. */
export function Secrets() {
  const secrets = useQuery(secretsQuery);
  const maySet = useMayForServer("admin");
  const [isSetting, setSetting] = useState<string>();
  const [deleting, setDeleting] = useState<string>();
  return (
    <Page
      title="Secrets"
      lead="Values that webhooks and agents use by name. They can be set and never read."
      actions={
        maySet && (
          <Button kind="main" onPress={() => setSetting("")}>
            Set a secret
          </Button>
        )
      }
    >
      <Listing
        title="Secrets of the team"
        label="Secrets"
        query={secrets}
        columns={maySet ? [...COLUMNS, { title: "Actions", isRight: true }] : COLUMNS}
        empty={NONE}
      >
        {({ name, updated_at }) => (
          <tr key={name}>
            <NameCell name={<code>{name}</code>} />
            <TimeCell at={updated_at} isWide />
            {maySet && (
              <ActionCell>
                <Button isSmall onPress={() => setSetting(name)} aria-label={`Set anew ${name}`}>
                  Set anew
                </Button>{" "}
                <Button isSmall kind="danger" onPress={() => setDeleting(name)} aria-label={`Delete ${name}`}>
                  Delete
                </Button>
              </ActionCell>
            )}
          </tr>
        )}
      </Listing>
      {isSetting !== undefined && <SetSecret name={isSetting} onClose={() => setSetting(undefined)} />}
      <ConfirmDialog
        title={`Delete ${deleting}?`}
        action="Delete the secret"
        {...(deleting === undefined ? {} : { typed: deleting })}
        isOpen={deleting !== undefined}
        onClose={() => setDeleting(undefined)}
        onConfirm={() => remove(deleting ?? "")}
      >
        <p>Its value cannot be brought back. The server refuses while a definition uses it.</p>
      </ConfirmDialog>
    </Page>
  );
}

async function remove(name: string): Promise<void> {
  await millrace.secrets.delete(name);
  await queryClient.invalidateQueries({ queryKey: secretsQuery.queryKey });
  announce(`${name} is deleted.`);
}
