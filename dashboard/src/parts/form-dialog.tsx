import { useMutation } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { Button } from "./button.tsx";
import { Actions, Dialog } from "./dialog.tsx";
import { Form } from "./form.tsx";
import { ProblemNotice } from "./problem-notice.tsx";

interface FormDialogProps {
  title: string;
  /** The word on the button that sends it. */
  action: string;
  /** Whether it can be sent as it is. */
  isComplete: boolean;
  /** Sends it. What it throws is shown, and the fields stay as they are. */
  onSend: () => Promise<unknown>;
  onClose: () => void;
  /** The fields. */
  children: ReactNode;
}

/** A form in a window over the page. */
export function FormDialog({ title, action, isComplete, onSend, onClose, children }: FormDialogProps) {
  const sending = useMutation({ mutationFn: onSend, onSuccess: onClose });
  return (
    <Dialog title={title} isOpen onClose={onClose}>
      <Form onSubmit={() => isComplete && sending.mutate()}>
        {children}
        {sending.error && <ProblemNotice error={sending.error} />}
        <Actions>
          <Button onPress={onClose}>Cancel</Button>
          <Button kind="main" type="submit" isPending={sending.isPending} isDisabled={!isComplete}>
            {action}
          </Button>
        </Actions>
      </Form>
    </Dialog>
  );
}
