import { useState } from "react";
import { type Models, millrace } from "../../api/client.ts";
import { queryClient } from "../../api/query-client.ts";
import { useMay } from "../../frame/use-role.ts";
import { announce } from "../../parts/announcer.tsx";
import { Button } from "../../parts/button.tsx";
import { ConfirmDialog } from "../../parts/forms/confirm-dialog.tsx";
import { ProblemNotice } from "../../parts/problem-notice.tsx";
import { useAction } from "../../parts/use-action.ts";

/** Sync now; suspend; resume. */
export function FactoryActions({ factory }: { factory: Models["Factory"] }) {
  const mayOperate = useMay("operator");
  const [isSuspending, setSuspending] = useState(false);
  const { name, sync: standing } = factory;
  const isSuspended = standing.status === "suspended";
  const sync = useAction({
    send: () => millrace.factories.sync(name, { wait: true }),
    onDone: ({ sync: { status } }) => announce(`Sync finished: ${status}.`),
    onSettled: refresh,
  });
  const resume = useAction({
    send: () => millrace.factories.resume(name),
    onDone: () => announce(`Resumed ${name}.`),
    onSettled: refresh,
  });
  if (!mayOperate) return null;
  return (
    <>
      {(sync.error ?? resume.error) && <ProblemNotice error={sync.error ?? resume.error} />}
      {isSuspended ? (
        <Button kind="main" onPress={() => resume.run()} isPending={resume.isPending}>
          Resume
        </Button>
      ) : (
        <>
          <Button onPress={() => setSuspending(true)}>Suspend</Button>
          <Button kind="main" onPress={() => sync.run()} isPending={sync.isPending}>
            Sync now
          </Button>
        </>
      )}
      <ConfirmDialog
        title={`Suspend ${name}?`}
        action="Suspend"
        isOpen={isSuspending}
        onClose={() => setSuspending(false)}
        onConfirm={async () => {
          await millrace.factories.suspend(name);
          announce(`Suspended ${name}.`);
          refresh();
        }}
      >
        <p>
          The applied revision stays active: webhooks accept deliveries and automations start runs. New
          commits are not applied until the factory is resumed.
        </p>
      </ConfirmDialog>
    </>
  );
}

function refresh(): void {
  for (const key of ["factories", "revisions", "webhooks", "automations"]) {
    void queryClient.invalidateQueries({ queryKey: [key] });
  }
}
