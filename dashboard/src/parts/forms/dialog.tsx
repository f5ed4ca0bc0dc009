import type { ReactNode } from "react";
import { Dialog as AriaDialog, Heading, Modal, ModalOverlay } from "react-aria-components";
import styles from "./dialog.module.css";

interface DialogProps {
  title: string;
  isOpen: boolean;
  onClose: () => void;
  /** One that shows something which is not shown again closes by its button alone. */
  isDismissable?: boolean;
  /** Whether it sends something: until that is answered, it stays. */
  isBusy?: boolean;
  children: ReactNode;
}

/** A window over the page, which keeps the keyboard until it is closed. */
export function Dialog(props: DialogProps) {
  const { title, isOpen, onClose, isDismissable = true, isBusy = false, children } = props;
  const canClose = isDismissable && !isBusy;
  return (
    <ModalOverlay
      className={styles.overlay ?? ""}
      isOpen={isOpen}
      onOpenChange={(open) => !open && onClose()}
      isDismissable={canClose}
      isKeyboardDismissDisabled={!canClose}
    >
      <Modal className={styles.modal ?? ""}>
        <AriaDialog className={styles.dialog ?? ""} aria-busy={isBusy}>
          <Heading slot="title" level={2}>
            {title}
          </Heading>
          {children}
        </AriaDialog>
      </Modal>
    </ModalOverlay>
  );
}

/** The buttons at the foot of a dialog or a form, the main one last. */
export function Actions({ children }: { children: ReactNode }) {
  return <div className={styles.actions}>{children}</div>;
}
