import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { millrace } from "../../api/client.ts";
import { secretsQuery } from "../../api/queries.ts";
import { queryClient } from "../../api/query-client.ts";
import { announce } from "../../parts/announcer.tsx";
import { Button } from "../../parts/button.tsx";
import { Actions, Dialog } from "../../parts/dialog.tsx";
import { Field } from "../../parts/field.tsx";
import { Form } from "../../parts/form.tsx";
import { ProblemNotice } from "../../parts/problem-notice.tsx";

/** Gives a secret its value: a new one, or with a name one that is there. */
export function SetSecret({ name: given, onClose }: { name: string; onClose: () => void }) {
  const [name, setName] = useState(given);
  const [value, setValue] = useState("");
  const set = useMutation({
    mutationFn: () => millrace.secrets.set(name, value),
    onSuccess: async () => {
      await queryClient.invalidateQueries({ queryKey: secretsQuery.queryKey });
      announce(`${name} is set.`);
      onClose();
    },
  });
  return (
    <Dialog title={given === "" ? "Set a secret" : `Set ${given} anew`} isOpen onClose={onClose}>
      <Form onSubmit={() => set.mutate()}>
        {given === "" && (
          <Field
            label="Name"
            isMono
            autoFocus
            autoComplete="off"
            value={name}
            onChange={setName}
            hint="As definitions name it, for example CI_SECRET."
          />
        )}
        <Field
          label="Value"
          type="password"
          isMono
          autoFocus={given !== ""}
          autoComplete="off"
          value={value}
          onChange={setValue}
          hint="It cannot be read again, here or anywhere. Webhooks take it with the next revision that is applied."
        />
        {set.error && <ProblemNotice error={set.error} />}
        <Actions>
          <Button onPress={onClose}>Cancel</Button>
          <Button
            kind="main"
            type="submit"
            isPending={set.isPending}
            isDisabled={name === "" || value === ""}
          >
            Set
          </Button>
        </Actions>
      </Form>
    </Dialog>
  );
}
