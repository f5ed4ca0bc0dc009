import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { useLocation } from "wouter";
import { type Models, millrace } from "../../api/client.ts";
import { queryClient } from "../../api/query-client.ts";
import { DeleteFactory } from "../../frame/delete-factory.tsx";
import { useMay } from "../../frame/use-role.ts";
import { announce } from "../../parts/announcer.tsx";
import { Button } from "../../parts/button.tsx";
import { ConfirmDialog } from "../../parts/confirm-dialog.tsx";
import { ProblemNotice } from "../../parts/problem-notice.tsx";

/** Sync now; suspend; resume; delete the factory. */
export function FactoryActions({ factory }: { factory: Models["Factory"] }) {
  const mayOperate = useMay("operator");
  const [, navigate] = useLocation();
  const [isSuspending, setSuspending] = useState(false);
  const { name, sync: standing } = factory;
  const isSuspended = standing.status === "suspended";
  const sync = useMutation({
    mutationFn: () => millrace.factories.sync(name, { wait: true }),
    onSuccess: ({ sync: { status } }) => announce(`Sync finished: ${status}.`),
    onSettled: refresh,
  });
  const resume = useMutation({
    mutationFn: () => millrace.factories.resume(name),
    onSuccess: () => announce(`Resumed ${name}.`),
    onSettled: refresh,
  });
  if (!mayOperate) return null;
  return (
    <>
      {(sync.error ?? resume.error) && <ProblemNotice error={sync.error ?? resume.error} />}
      <DeleteFactory factory={factory} onDeleted={() => navigate("/")} />
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
