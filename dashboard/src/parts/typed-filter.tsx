import { useEffect, useState } from "react";
import { Field } from "./field.tsx";

const TYPING_MS = 300;

interface TypedFilterProps {
  label: string;
  value: string;
  hint?: string;
  onChange: (value: string) => void;
}

/** A text filter that asks when the typing rests. */
export function TypedFilter({ label, value, hint, onChange }: TypedFilterProps) {
  const [typed, setTyped] = useState(value);
  useEffect(() => setTyped(value), [value]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: what is typed starts the clock, and nothing else
  useEffect(() => {
    if (typed === value) return;
    const timer = setTimeout(() => onChange(typed), TYPING_MS);
    return () => clearTimeout(timer);
  }, [typed]);
  return <Field label={label} value={typed} onChange={setTyped} {...(hint ? { hint } : {})} />;
}
