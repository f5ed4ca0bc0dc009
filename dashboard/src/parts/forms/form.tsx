import type { FormEvent, FormEventHandler, ReactNode, Ref } from "react";
import styles from "./form.module.css";

interface FormProps {
  /** Fields, and at the foot `Actions`. */
  children: ReactNode;
  /** Sends it: by its button, or by the Enter key in a field of one line. */
  onSubmit: () => void;
  onInput?: FormEventHandler<HTMLFormElement>;
  ref?: Ref<HTMLFormElement>;
}

/** Fields below each other, which are sent together and by the page itself. */
export function Form({ children, onSubmit, ...rest }: FormProps) {
  const submit = (event: FormEvent) => {
    event.preventDefault();
    onSubmit();
  };
  return (
    <form {...rest} className={styles.form} onSubmit={submit}>
      {children}
    </form>
  );
}

/** Fields beside each other, the first the widest; a button stands at their feet. */
export function FieldRow({ children }: { children: ReactNode }) {
  return <div className={styles.row}>{children}</div>;
}
