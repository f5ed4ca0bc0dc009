import { Field } from "../parts/field.tsx";
import { Section } from "../parts/page.tsx";

/** How something new is named. */
export interface Naming {
  label?: string;
  hint: string;
}

interface NameFieldProps {
  naming: Naming;
  name: string;
  onChange: (name: string) => void;
}

export function NameField({ naming: { label = "Name", hint }, name, onChange }: NameFieldProps) {
  return (
    <Section title={label}>
      <Field
        label={label}
        isLabelHidden
        isMono
        autoFocus
        autoComplete="off"
        value={name}
        onChange={onChange}
        hint={hint}
      />
    </Section>
  );
}

/** Why nothing can be saved under a name; the server says the rest. */
export function nameProblem(name: string): string | undefined {
  return name.trim() === "" ? "Give it a name first." : undefined;
}
