import { useState } from "react";
import { type Models, millrace } from "../api/client.ts";
import { secretsQuery } from "../api/queries.ts";
import { queryClient } from "../api/query-client.ts";
import { announce } from "../parts/announcer.tsx";
import { Checklist } from "../parts/checklist.tsx";
import { Choice, Field } from "../parts/forms/field.tsx";
import { FormDialog } from "../parts/forms/form-dialog.tsx";
import { useFactory } from "./use-factory.ts";
import { useMayForServer } from "./use-role.ts";

/** Gives a secret its value, and says who may use it: a new one, or one that is there. */
export function SetSecret({
  secret,
  named = "",
  onClose,
}: {
  secret: Models["Secret"] | undefined;
  /** What a new one is called at first. */
  named?: string;
  onClose: () => void;
}) {
  const { factory, factories } = useFactory();
  const isForServer = useMayForServer("admin");
  const [name, setName] = useState(secret?.name ?? named);
  const [value, setValue] = useState("");
  const [users, setUsers] = useState<Users>(secret ? "as now" : "some");
  const [chosen, setChosen] = useState<readonly string[]>(
    secret?.factories ?? (factory ? [factory.name] : []),
  );
  const set = async () => {
    await millrace.secrets.set(name, {
      ...(value === "" ? {} : { value }),
      ...(factories.length > 1 ? scopeOf(users, chosen) : {}),
    });
    await queryClient.invalidateQueries({ queryKey: secretsQuery.queryKey });
    announce(`Set ${name}.`);
  };
  const isComplete = name !== "" && (value !== "" || (secret !== undefined && users !== "as now"));
  return (
    <FormDialog
      title={secret ? `Update ${name}` : "Set secret"}
      action="Set"
      isComplete={isComplete}
      onSend={set}
      onClose={onClose}
    >
      {!secret && (
        <Field
          label="Name"
          isMono
          autoFocus
          autoComplete="off"
          value={name}
          onChange={setName}
          hint="The name that definitions use, for example CI_SECRET."
        />
      )}
      <Field
        label="Value"
        type="password"
        isMono
        autoFocus={secret !== undefined}
        autoComplete="off"
        value={value}
        onChange={setValue}
        hint="The value cannot be read again. Webhooks use it after the next revision is applied."
      />
      {factories.length > 1 && (
        <SecretScope
          users={users}
          onUsers={setUsers}
          chosen={chosen}
          onChosen={setChosen}
          isThere={secret !== undefined}
          mayShare={isForServer}
        />
      )}
    </FormDialog>
  );
}

function scopeOf(users: Users, chosen: readonly string[]): Partial<Models["SecretValue"]> {
  if (users === "all") return { shared: true };
  return users === "some" ? { factories: [...chosen] } : {};
}

/** Who may use a secret: who may now, some factories, or all of them. */
type Users = "as now" | "some" | "all";

interface SecretScopeProps {
  users: Users;
  onUsers: (users: Users) => void;
  /** Names of factories. */
  chosen: readonly string[];
  onChosen: (chosen: string[]) => void;
  /** Whether it is a secret that is there already. */
  isThere: boolean;
  mayShare: boolean;
}

function SecretScope({ users, onUsers, chosen, onChosen, isThere, mayShare }: SecretScopeProps) {
  const { factories } = useFactory();
  const options = [
    ...(isThere ? [{ value: "as now", label: "no change" }] : []),
    { value: "some", label: "selected factories" },
    ...(mayShare ? [{ value: "all", label: "all factories, including future ones" }] : []),
  ];
  return (
    <>
      <Choice label="Access" value={users} onChange={(value) => onUsers(value as Users)} options={options} />
      {users === "some" && (
        <Checklist
          label="Factories"
          options={factories.map(({ name }) => ({ value: name, label: name }))}
          chosen={chosen}
          onChange={onChosen}
        />
      )}
    </>
  );
}
