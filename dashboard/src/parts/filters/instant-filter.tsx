import { Field } from "../forms/field.tsx";
import { localOf } from "../time/local-time.ts";

interface InstantFilterProps {
  label: string;
  /** An instant, in UTC; nothing stands for none. */
  value: string;
  onChange: (instant: string) => void;
}

/** A filter by an instant, which a person sees in the time of the place. */
export function InstantFilter({ label, value, onChange }: InstantFilterProps) {
  return (
    <Field
      label={label}
      type="datetime-local"
      value={localOf(value)}
      onChange={(local) => onChange(local === "" ? "" : new Date(local).toISOString())}
    />
  );
}
