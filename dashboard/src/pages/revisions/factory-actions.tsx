import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { type Models, millrace } from "../../api/client.ts";
import { queryClient } from "../../api/query-client.ts";
import { useMay } from "../../frame/use-role.ts";
import { announce } from "../../parts/announcer.tsx";
import { Button } from "../../parts/button.tsx";
import { ConfirmDialog } from "../../parts/confirm-dialog.tsx";
import { ProblemNotice } from "../../parts/problem-notice.tsx";

/** Look at the source now; hold what is in force; follow the source again. */
export function FactoryActions({ factory }: { factory: Models["Factory"] }) {
  const mayOperate = useMay("operator");
  const [isSuspending, setSuspending] = useState(false);
  const { name, sync: standing } = factory;
  const isSuspended = standing.status === "suspended";
  const sync = useMutation({
    mutationFn: () => millrace.factories.sync(name, { wait: true }),
    onSuccess: ({ sync: { status } }) => announce(`The source was looked at: ${status}.`),
    onSettled: refresh,
  });
  const resume = useMutation({
    mutationFn: () => millrace.factories.resume(name),
    onSuccess: () => announce(`${name} follows its source again.`),
    onSettled: refresh,
  });
  if (!mayOperate) return null;
  return (
    <>
      {(sync.error ?? resume.error) && <ProblemNotice error={sync.error ?? resume.error} />}
      {isSuspended ? (
        <Button kind="main" onPress={() => resume.mutate()} isPending={resume.isPending}>
          Resume
        </Button>
      ) : (
        <>
          <Button onPress={() => setSuspending(true)}>Suspend</Button>
          <Button kind="main" onPress={() => sync.mutate()} isPending={sync.isPending}>
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
          announce(`${name} is suspended.`);
          refresh();
        }}
      >
        <p>
          What is in force stays in force: webhooks take deliveries and automations start runs. Nothing that
          is merged counts until somebody resumes it.
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
