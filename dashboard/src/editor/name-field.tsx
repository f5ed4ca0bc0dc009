import type { ReactNode } from "react";
import { Field } from "../parts/forms/field.tsx";
import { Section } from "../parts/page.tsx";
import styles from "./name-field.module.css";

/** How something new is named. */
export interface Naming {
  label?: string;
  hint: string;
  /** What is chosen first. */
  first?: ReactNode;
}

/** Of what lies in a folder of its own. */
export const ALSO_OF_FOLDER = "Also the folder name. It cannot be changed later.";

interface NameFieldProps {
  naming: Naming;
  name: string;
  onChange: (name: string) => void;
}

export function NameField({ naming, name, onChange }: NameFieldProps) {
  const { label = "Name", hint, first } = naming;
  return (
    <Section title="General">
      <div className={styles.fields}>
        {first}
        <Field
          label={label}
          isMono
          autoFocus
          autoComplete="off"
          value={name}
          onChange={onChange}
          hint={hint}
        />
      </div>
    </Section>
  );
}

/** Why nothing can be saved under a name; the server says the rest. */
export function nameProblem(name: string): string | undefined {
  return name.trim() === "" ? "Enter a name first." : undefined;
}
