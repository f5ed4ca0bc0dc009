import { useState } from "react";
import { Field } from "./field.tsx";

interface LinesFieldProps {
  label: string;
  hint: string;
  lines: readonly string[];
  onChange: (lines: string[]) => void;
}

/** A list of texts, each on a line of its own. */
export function LinesField({ label, hint, lines, onChange }: LinesFieldProps) {
  const [text, setText] = useState(() => lines.join("\n"));
  const change = (next: string) => {
    setText(next);
    onChange(next.split("\n").flatMap((line) => line.trim() || []));
  };
  return <Field label={label} hint={hint} rows={3} isMono value={text} onChange={change} />;
}
