import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { type Models, millrace } from "../../api/client.ts";
import { keysQuery, whoamiQuery } from "../../api/queries.ts";
import { queryClient } from "../../api/query-client.ts";
import { useFactory } from "../../frame/use-factory.ts";
import { useMayForServer } from "../../frame/use-role.ts";
import { announce } from "../../parts/announcer.tsx";
import { Button } from "../../parts/button.tsx";
import { Chip } from "../../parts/chip.tsx";
import { ConfirmDialog } from "../../parts/forms/confirm-dialog.tsx";
import { Page, Section } from "../../parts/page.tsx";
import { DataTable, main, muted, right, wide } from "../../parts/tables/data-table.tsx";
import { Loaded } from "../../parts/tables/loaded.tsx";
import { RelativeTime } from "../../parts/time/relative-time.tsx";
import styles from "./keys.module.css";
import { NewKey } from "./new-key.tsx";

type Key = Models["ApiKey"];

const COLUMNS = [
  { title: "State" },
  { title: "Key" },
  { title: "Factories", isWide: true },
  { title: "Last used", isWide: true, isRight: true },
  { title: "Actions", isRight: true },
];

/** Who and what may call this server. */
export function Keys() {
  const keys = useQuery(keysQuery);
  const isAdmin = useMayForServer("admin");
  const [isMaking, setMaking] = useState(false);
  const [revoking, setRevoking] = useState<Key>();
  return (
    <Page
      title="API keys"
      lead="A personal key acts as a person, an agent key as an agent. A key is shown only once, when you create it."
      actions={
        isAdmin && (
          <Button kind="main" onPress={() => setMaking(true)}>
            Create key
          </Button>
        )
      }
    >
      <Section title="Keys" isFlush>
        <Loaded query={keys}>
          {(all) => (
            <DataTable label="API keys" columns={COLUMNS}>
              {[...all].sort(inForceFirst).map((key) => (
                <KeyRow
                  key={key.id}
                  apiKey={key}
                  {...(isAdmin ? { onRevoke: () => setRevoking(key) } : {})}
                />
              ))}
            </DataTable>
          )}
        </Loaded>
      </Section>
      {isMaking && <NewKey onClose={() => setMaking(false)} />}
      <ConfirmDialog
        title={`Revoke ${revoking?.name}?`}
        action="Revoke key"
        isOpen={revoking !== undefined}
        onClose={() => setRevoking(undefined)}
        onConfirm={() => revoke(revoking?.id ?? "")}
      >
        <p>
          Requests that use it are rejected immediately, and anyone signed in with it is signed out. A revoked
          key cannot be restored.
        </p>
        {revoking?.from_settings && (
          <p>
            This key was set by <code>MILLRACE_ADMIN_KEY</code>. It stays revoked after a restart: change the
            setting's value, or remove the setting.
          </p>
        )}
      </ConfirmDialog>
    </Page>
  );
}

interface KeyRowProps {
  apiKey: Key;
  /** Nothing for someone who may not. */
  onRevoke?: () => void;
}

function KeyRow({ apiKey, onRevoke }: KeyRowProps) {
  const { id, name, kind, role, factories, prefix, last_used_at, expires_at } = apiKey;
  const { factories: known } = useFactory();
  const { data: who } = useQuery(whoamiQuery);
  const state = stateOf(apiKey);
  const reached = factories?.map((uid) => known.find((factory) => factory.uid === uid)?.name ?? uid);
  return (
    <tr>
      <td>
        <Chip tone={state === "Active" ? "green" : "grey"}>{state}</Chip>
      </td>
      <td className={main}>
        {name} {who?.key_id === id && <span className={muted}>(yours)</span>}
        <div className={styles.prefix}>
          {role} · {kind} · <code>{prefix}…</code>
        </div>
        {expires_at && state !== "Revoked" && (
          <div className={styles.prefix}>
            {state === "Expired" ? "expired" : "expires"} <RelativeTime at={expires_at} />
          </div>
        )}
      </td>
      <td className={`${wide} ${muted}`}>{reached ? reached.join(", ") : "all"}</td>
      <td className={`${wide} ${right} ${muted}`}>
        {last_used_at ? <RelativeTime at={last_used_at} /> : "never"}
      </td>
      <td className={right}>
        {onRevoke && state === "Active" && (
          <Button isSmall kind="danger" onPress={onRevoke} aria-label={`Revoke ${name}`}>
            Revoke
          </Button>
        )}
      </td>
    </tr>
  );
}

function stateOf({ revoked_at, expires_at }: Key): string {
  if (revoked_at) return "Revoked";
  return expires_at && Date.parse(expires_at) <= Date.now() ? "Expired" : "Active";
}

function inForceFirst(a: Key, b: Key): number {
  const rank = (key: Key) => (stateOf(key) === "Active" ? 0 : 1);
  return rank(a) - rank(b) || a.name.localeCompare(b.name);
}

async function revoke(id: string): Promise<void> {
  await millrace.apiKeys.revoke(id);
  announce("Revoked the key.");
  await queryClient.invalidateQueries({ queryKey: keysQuery.queryKey });
}
