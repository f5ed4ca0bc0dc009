import type { ReactNode } from "react";
import { Button } from "./button.tsx";
import { Actions, Dialog } from "./forms/dialog.tsx";
import styles from "./shown-once.module.css";
import { CopyBlock } from "./text/copyable.tsx";

interface ShownOnceProps {
  what: string;
  value: string;
  /** Says that, in words that are right for what it is. */
  note?: ReactNode;
}

/** A secret right after it was made. */
export function ShownOnce({
  what,
  value,
  note = "Copy it now: it is not stored and will not be shown again.",
}: ShownOnceProps) {
  return (
    <div className={styles.once}>
      <CopyBlock text={value} what={what} />
      <p>{note}</p>
    </div>
  );
}

interface ShownOnceDialogProps {
  title: string;
  what: string;
  value: string;
  onClose: () => void;
  /** What to do with it. */
  children?: ReactNode;
}

/** Only its button closes it, as the secret cannot be shown again. */
export function ShownOnceDialog({ title, what, value, onClose, children }: ShownOnceDialogProps) {
  return (
    <Dialog title={title} isOpen onClose={onClose} isDismissable={false}>
      <ShownOnce what={what} value={value} />
      {children}
      <Actions>
        <Button kind="main" onPress={onClose}>
          I have copied it
        </Button>
      </Actions>
    </Dialog>
  );
}
