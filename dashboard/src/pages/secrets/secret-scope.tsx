import { useFactory } from "../../frame/use-factory.ts";
import { Checklist } from "../../parts/checklist.tsx";
import { Choice } from "../../parts/forms/field.tsx";

/** Who may use a secret: who may now, some factories, or all of them. */
export type Users = "as now" | "some" | "all";

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

export function SecretScope({ users, onUsers, chosen, onChosen, isThere, mayShare }: SecretScopeProps) {
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
