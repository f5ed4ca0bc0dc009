import { useQuery } from "@tanstack/react-query";
import { type Models, millrace } from "../../api/client.ts";
import { webhookTrafficQuery } from "../../api/queries.ts";
import { queryClient } from "../../api/query-client.ts";
import type { Tagged } from "../../api/tagged.ts";
import { announce } from "../../parts/announcer.tsx";
import { counted } from "../../parts/counted.ts";
import { ConfirmDialog } from "../../parts/forms/confirm-dialog.tsx";

interface DeleteDeliveriesProps {
  webhook: Tagged<Models["Webhook"]>;
  onClose: () => void;
}

/** Deletes what a webhook has received, after it was said what goes and what stays. */
export function DeleteDeliveries({ webhook: { factory, uid, name }, onClose }: DeleteDeliveriesProps) {
  const traffic = useQuery({ ...webhookTrafficQuery(factory, uid), staleTime: 0 });
  const remove = async () => {
    const { deleted, kept } = await millrace.deliveries.deleteAll(factory, uid);
    announce(`Deleted ${counted(deleted, "delivery", "deliveries")}.${kept > 0 ? ` ${kept} remain.` : ""}`);
    await queryClient.invalidateQueries({ queryKey: ["deliveries", uid] });
  };
  return (
    <ConfirmDialog
      title={`Delete the deliveries of ${name}?`}
      action="Delete deliveries"
      typed={name}
      isOpen
      onClose={onClose}
      onConfirm={remove}
    >
      <p>
        This deletes{" "}
        {traffic.data ? counted(traffic.data.deliveries, "delivery", "deliveries") : "all deliveries"} with
        their payloads, also the copies in the runs that they started. It cannot be undone.
      </p>
      <p>
        Deliveries whose runs have not ended remain, and so do all runs and the audit log. If a sender repeats
        a deleted delivery, it is still recognized as a duplicate and starts nothing.
      </p>
    </ConfirmDialog>
  );
}
