import { useEffect, useState } from "react";
import { Field } from "../forms/field.tsx";
import { TYPING_MS } from "./use-settled.ts";

interface TypedFilterProps {
  label: string;
  value: string;
  hint?: string;
  placeholder?: string;
  isLabelHidden?: boolean;
  onChange: (value: string) => void;
}

/** A text filter that asks when the typing rests. */
export function TypedFilter({ value, onChange, ...field }: TypedFilterProps) {
  const [typed, setTyped] = useState(value);
  useEffect(() => setTyped(value), [value]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: what is typed starts the clock, and nothing else
  useEffect(() => {
    if (typed === value) return;
    const timer = setTimeout(() => onChange(typed), TYPING_MS);
    return () => clearTimeout(timer);
  }, [typed]);
  return <Field {...field} value={typed} onChange={setTyped} />;
}
