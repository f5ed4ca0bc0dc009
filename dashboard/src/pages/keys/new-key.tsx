import { useState } from "react";
import { type Models, millrace } from "../../api/client.ts";
import { keysQuery } from "../../api/queries.ts";
import { queryClient } from "../../api/query-client.ts";
import { FactoryRestriction, restrictedTo } from "../../frame/factory-restriction.tsx";
import { Choice, Field } from "../../parts/forms/field.tsx";
import { FormDialog } from "../../parts/forms/form-dialog.tsx";
import { ShownOnceDialog } from "../../parts/shown-once.tsx";
import type { Once } from "../../parts/use-action.ts";

type Request = Models["NewApiKey"];

const ROLES = [
  { value: "viewer", label: "viewer: read only" },
  { value: "operator", label: "operator: also start and steer runs, and sync" },
  { value: "admin", label: "admin: also manage secrets and keys" },
];
const KINDS = [
  { value: "personal", label: "personal: acts as a person" },
  { value: "agent", label: "agent: acts as an agent" },
];

/** Makes a key, and shows it this once. */
export function NewKey({ onClose }: { onClose: () => void }) {
  const [name, setName] = useState("");
  const [role, setRole] = useState("viewer");
  const [kind, setKind] = useState("personal");
  const [reached, setReached] = useState<readonly string[]>([]);
  const [expires, setExpires] = useState("");
  const [made, setMade] = useState<Models["CreatedApiKey"]>();
  // Found out once: a repeated request has to be the same to the millisecond.
  const [openedAt] = useState(() => Date.now());
  const make = async (once: Once) => {
    const expires_at = expiryAt(expires, openedAt);
    const body = {
      name,
      role: role as NonNullable<Request["role"]>,
      kind: kind as NonNullable<Request["kind"]>,
      factories: restrictedTo(reached),
      ...(expires_at === undefined ? {} : { expires_at }),
    };
    const result = await millrace.apiKeys.create(body, once);
    // The key is shown, also when the list cannot be loaded again.
    void queryClient.invalidateQueries({ queryKey: keysQuery.queryKey });
    return result;
  };
  if (made) {
    return <ShownOnceDialog title={`Key ${name}`} what="the key" value={made.key} onClose={onClose} />;
  }
  return (
    <FormDialog
      title="Create key"
      action="Create key"
      isComplete={name.trim() !== ""}
      onSend={make}
      onSent={setMade}
      onClose={onClose}
    >
      <Field
        label="Name"
        autoFocus
        autoComplete="off"
        value={name}
        onChange={setName}
        hint="Who or what uses the key."
      />
      <Choice label="Role" value={role} onChange={setRole} options={ROLES} />
      <Choice label="Kind" value={kind} onChange={setKind} options={KINDS} />
      <Choice label="Expires" value={expires} onChange={setExpires} options={EXPIRIES} />
      <FactoryRestriction chosen={reached} onChange={setReached} />
    </FormDialog>
  );
}

const DAY_MS = 86_400_000;

/** When a new key can expire, in days from now; nothing is never. */
const EXPIRIES = [
  { value: "", label: "never" },
  { value: "7", label: "in 7 days" },
  { value: "30", label: "in 30 days" },
  { value: "90", label: "in 90 days" },
  { value: "365", label: "in a year" },
];

/** The instant of a choice. */
function expiryAt(choice: string, now: number): string | undefined {
  return choice === "" ? undefined : new Date(now + Number(choice) * DAY_MS).toISOString();
}
