import { type FormEvent, type ReactNode, useRef, useState } from "react";
import { Button } from "../button.tsx";
import { ProblemNotice } from "../problem-notice.tsx";
import { type Once, useAction } from "../use-action.ts";
import { Actions, Dialog } from "./dialog.tsx";
import { Form } from "./form.tsx";

interface FormDialogProps<Result> {
  title: string;
  /** The word on the button that sends it. */
  action: string;
  /** For what senders or others will feel. */
  kind?: "main" | "danger";
  /** Whether it can be sent as it is. */
  isComplete: boolean;
  /** Sends it. What it throws is shown, and the fields stay as they are. */
  onSend: (once: Once) => Promise<Result>;
  /** What follows when it was sent: it closes, unless something else is said. */
  onSent?: (result: Result) => void;
  onClose: () => void;
  /** The fields. */
  children: ReactNode;
}

/** A form in a window over the page. It does not close while it sends, and asks before it closes over text. */
export function FormDialog<Result>(props: FormDialogProps<Result>) {
  const { title, action, kind = "main", isComplete, onSend, onSent, onClose, children } = props;
  const form = useRef<HTMLFormElement>(null);
  const wasTyped = useRef(false);
  const [isAsking, setAsking] = useState(false);
  const sending = useAction({
    send: (once) => onSend(once),
    onDone: (result) => (onSent ? onSent(result) : onClose()),
  });
  const close = () => {
    if (sending.isSending()) return;
    if (wasTyped.current && hasText(form.current)) setAsking(true);
    else onClose();
  };
  return (
    <Dialog title={title} isOpen onClose={close} isBusy={sending.isPending}>
      <Form
        ref={form}
        onInput={(event) => {
          if (isTextField(event.target)) wasTyped.current = true;
        }}
        onSubmit={() => isComplete && !isAsking && sending.run()}
      >
        {children}
        {sending.error && !sending.isPending && <ProblemNotice error={sending.error} />}
        {isAsking ? (
          <DiscardQuestion onKeep={() => setAsking(false)} onDiscard={onClose} />
        ) : (
          <Actions>
            <Button onPress={close} isDisabled={sending.isPending}>
              Cancel
            </Button>
            <Button kind={kind} type="submit" isPending={sending.isPending} isDisabled={!isComplete}>
              {action}
            </Button>
          </Actions>
        )}
      </Form>
    </Dialog>
  );
}

/** In place of the buttons, and not in another window: what it asks about stays in view. */
function DiscardQuestion({ onKeep, onDiscard }: { onKeep: () => void; onDiscard: () => void }) {
  return (
    <>
      <p role="alert">Discard what you entered?</p>
      <Actions>
        <Button autoFocus onPress={onKeep}>
          Keep editing
        </Button>
        <Button kind="danger" onPress={onDiscard}>
          Discard
        </Button>
      </Actions>
    </>
  );
}

const WITHOUT_TEXT = new Set(["checkbox", "radio"]);

function isTextField(element: FormEvent["target"]): element is HTMLInputElement | HTMLTextAreaElement {
  if (element instanceof HTMLTextAreaElement) return true;
  return element instanceof HTMLInputElement && !WITHOUT_TEXT.has(element.type);
}

function hasText(form: HTMLFormElement | null): boolean {
  return [...(form?.elements ?? [])].some((element) => isTextField(element) && element.value.trim() !== "");
}
