import { useState } from "react";
import { Button } from "../parts/button.tsx";
import { later, openLater } from "../parts/time/later.tsx";
import { useMay } from "./use-role.ts";

const dialog = later(async () => (await import("./factory-deletion-dialog.tsx")).FactoryDeletionDialog);

interface DeleteFactoryProps {
  factory: { uid: string; name: string };
  isSmall?: boolean;
  onDeleted?: () => void;
}

/** A button that deletes a factory, after what goes with it was shown and its name was typed. For admins. */
export function DeleteFactory({ factory, isSmall = false, onDeleted }: DeleteFactoryProps) {
  const [isOpen, setOpen] = useState(false);
  if (!useMay("admin")) return null;
  return (
    <>
      <Button
        kind="danger"
        isSmall={isSmall}
        onPress={() => openLater(dialog, () => setOpen(true))}
        aria-label={`Delete ${factory.name}`}
      >
        Delete
      </Button>
      {isOpen && (
        <dialog.Part factory={factory} onClose={() => setOpen(false)} onDeleted={onDeleted ?? (() => {})} />
      )}
    </>
  );
}
