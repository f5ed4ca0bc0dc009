import { useState } from "react";
import { BASE } from "../../api/base.ts";
import { type Models, millrace } from "../../api/client.ts";
import { queryClient } from "../../api/query-client.ts";
import { FactoryRestriction, restrictedTo } from "../../frame/factory-restriction.tsx";
import { Field } from "../../parts/forms/field.tsx";
import { FormDialog } from "../../parts/forms/form-dialog.tsx";
import { ShownOnceDialog } from "../../parts/shown-once.tsx";
import { CopyBlock } from "../../parts/text/copyable.tsx";
import type { Once } from "../../parts/use-action.ts";
import { workersQuery } from "./worker-queries.ts";

/** Makes a worker, and shows its token this once, with the command that uses it. */
export function NewWorker({ onClose }: { onClose: () => void }) {
  const [name, setName] = useState("");
  const [labels, setLabels] = useState("");
  const [reached, setReached] = useState<readonly string[]>([]);
  const [made, setMade] = useState<Models["CreatedWorker"]>();
  const make = async (once: Once) => {
    const granted = labels.split(/[\s,]+/).filter((label) => label !== "");
    const body = { name, labels: granted, factories: restrictedTo(reached) };
    const result = await millrace.workers.create(body, once);
    // The token is shown, also when the list cannot be loaded again.
    void queryClient.invalidateQueries({ queryKey: workersQuery.queryKey });
    return result;
  };
  if (made) return <MadeWorker worker={made} onClose={onClose} />;
  return (
    <FormDialog
      title="Create worker"
      action="Create worker"
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
        hint="workerHost refers to it. Workers with the same name form a pool."
      />
      <Field
        label="Labels (optional)"
        autoComplete="off"
        value={labels}
        onChange={setLabels}
        hint="For example: gpu, eu. If empty, the labels count that its processes report."
      />
      <FactoryRestriction chosen={reached} onChange={setReached} />
    </FormDialog>
  );
}

function MadeWorker({ worker, onClose }: { worker: Models["CreatedWorker"]; onClose: () => void }) {
  const server = new URL(BASE, location.origin).href.replace(/\/$/, "");
  return (
    <ShownOnceDialog title={`Worker ${worker.name}`} what="the token" value={worker.token} onClose={onClose}>
      <p>On the other machine, save the token to a file that only its user can read, and start the worker:</p>
      <CopyBlock text={`millrace worker --server ${server} --token-file FILE`} what="the command" />
    </ShownOnceDialog>
  );
}
