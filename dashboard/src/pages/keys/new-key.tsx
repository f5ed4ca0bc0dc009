import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { type Models, millrace } from "../../api/client.ts";
import { keysQuery } from "../../api/queries.ts";
import { queryClient } from "../../api/query-client.ts";
import { useFactory } from "../../frame/use-factory.ts";
import { Button } from "../../parts/button.tsx";
import { Checklist } from "../../parts/checklist.tsx";
import { Actions, Dialog } from "../../parts/dialog.tsx";
import { Choice, Field } from "../../parts/field.tsx";
import { Form } from "../../parts/form.tsx";
import { ProblemNotice } from "../../parts/problem-notice.tsx";
import { ShownOnce } from "../../parts/shown-once.tsx";

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
export function NewKey({ isOpen, onClose }: { isOpen: boolean; onClose: () => void }) {
  const { factories } = useFactory();
  const [name, setName] = useState("");
  const [role, setRole] = useState("viewer");
  const [kind, setKind] = useState("personal");
  const [reached, setReached] = useState<readonly string[]>([]);
  const make = useMutation({
    mutationFn: () =>
      millrace.apiKeys.create({
        name,
        role: role as NonNullable<Request["role"]>,
        kind: kind as NonNullable<Request["kind"]>,
        factories: reached.length > 0 ? [...reached] : null,
      }),
    onSuccess: () => queryClient.invalidateQueries({ queryKey: keysQuery.queryKey }),
  });
  const close = () => {
    make.reset();
    setName("");
    setReached([]);
    onClose();
  };
  if (make.data) {
    return (
      <Dialog title={`Key ${name}`} isOpen={isOpen} onClose={close} isDismissable={false}>
        <ShownOnce what="the key" value={make.data.key} />
        <Actions>
          <Button kind="main" onPress={close}>
            I have copied it
          </Button>
        </Actions>
      </Dialog>
    );
  }
  return (
    <Dialog title="Create key" isOpen={isOpen} onClose={close}>
      <Form onSubmit={() => make.mutate()}>
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
        {factories.length > 1 && (
          <Checklist
            label="Restrict to factories (empty: all)"
            options={factories.map(({ uid, name: factoryName }) => ({ value: uid, label: factoryName }))}
            chosen={reached}
            onChange={setReached}
          />
        )}
        {make.error && <ProblemNotice error={make.error} />}
        <Actions>
          <Button onPress={close}>Cancel</Button>
          <Button kind="main" type="submit" isPending={make.isPending} isDisabled={name.trim() === ""}>
            Create key
          </Button>
        </Actions>
      </Form>
    </Dialog>
  );
}
