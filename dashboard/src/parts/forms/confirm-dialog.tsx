import { type ReactNode, useState } from "react";
import { Button } from "../button.tsx";
import { ProblemNotice } from "../problem-notice.tsx";
import { type Once, useAction } from "../use-action.ts";
import { Actions, Dialog } from "./dialog.tsx";
import { Field } from "./field.tsx";
import { Form } from "./form.tsx";

interface ConfirmDialogProps {
  title: string;
  /** What will happen, in numbers. */
  children: ReactNode;
  /** The word on the button that does it. */
  action: string;
  /** Has to be typed first, for what cannot be undone. */
  typed?: string;
  isOpen: boolean;
  /** Whether what will happen is known, and can happen. */
  isReady?: boolean;
  onClose: () => void;
  /** Does it. What it throws is shown. */
  onConfirm: (once: Once) => Promise<unknown>;
}

/** Asks before something that others will feel. It does not close while that is done. */
export function ConfirmDialog(props: ConfirmDialogProps) {
  const { title, children, action, typed, isOpen, isReady = true, onClose, onConfirm } = props;
  const [word, setWord] = useState("");
  const forget = () => {
    setWord("");
    onClose();
  };
  const doing = useAction({ send: (once) => onConfirm(once), onDone: forget });
  const close = () => {
    if (doing.isSending()) return;
    doing.reset();
    forget();
  };
  const isConfirmed = isReady && (typed === undefined || word === typed);
  return (
    <Dialog title={title} isOpen={isOpen} onClose={close} isBusy={doing.isPending}>
      <Form onSubmit={() => isConfirmed && doing.run()}>
        <div>{children}</div>
        {typed !== undefined && (
          <Field label={`Type ${typed} to confirm`} value={word} onChange={setWord} autoComplete="off" />
        )}
        {doing.error && !doing.isPending && <ProblemNotice error={doing.error} />}
        <Actions>
          <Button onPress={close} isDisabled={doing.isPending}>
            Go back
          </Button>
          <Button kind="danger" type="submit" isPending={doing.isPending} isDisabled={!isConfirmed}>
            {action}
          </Button>
        </Actions>
      </Form>
    </Dialog>
  );
}
