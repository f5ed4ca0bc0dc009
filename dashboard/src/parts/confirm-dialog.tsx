import { type ReactNode, useState } from "react";
import { Button } from "./button.tsx";
import { Actions, Dialog } from "./dialog.tsx";
import { Field } from "./field.tsx";
import { ProblemNotice } from "./problem-notice.tsx";

interface ConfirmDialogProps {
  title: string;
  /** What will happen, in numbers. */
  children: ReactNode;
  /** The word on the button that does it. */
  action: string;
  /** Has to be typed first, for what cannot be undone. */
  typed?: string;
  isOpen: boolean;
  onClose: () => void;
  /** Does it. What it throws is shown. */
  onConfirm: () => Promise<unknown>;
}

/** Asks before something that others will feel. */
export function ConfirmDialog(props: ConfirmDialogProps) {
  const { title, children, action, typed, isOpen, onClose, onConfirm } = props;
  const [word, setWord] = useState("");
  const [error, setError] = useState<unknown>();
  const [isPending, setPending] = useState(false);
  const close = () => {
    setWord("");
    setError(undefined);
    onClose();
  };
  const confirm = async () => {
    setPending(true);
    setError(undefined);
    try {
      await onConfirm();
      close();
    } catch (thrown) {
      setError(thrown);
    }
    setPending(false);
  };
  return (
    <Dialog title={title} isOpen={isOpen} onClose={close}>
      <div>{children}</div>
      {typed !== undefined && (
        <Field label={`Type ${typed} to confirm`} value={word} onChange={setWord} autoComplete="off" />
      )}
      {error !== undefined && <ProblemNotice error={error} />}
      <Actions>
        <Button onPress={close}>Go back</Button>
        <Button
          kind="danger"
          onPress={confirm}
          isPending={isPending}
          isDisabled={typed !== undefined && word !== typed}
        >
          {action}
        </Button>
      </Actions>
    </Dialog>
  );
}
