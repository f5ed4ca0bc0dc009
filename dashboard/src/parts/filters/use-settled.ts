import { useEffect, useState } from "react";

/** Typing that pauses for so long has ended. */
export const TYPING_MS = 300;

/** A value as it was when it last rested: what is typed asks the server when the typing pauses. */
export function useSettled<Value>(value: Value): Value {
  const [settled, setSettled] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(value), TYPING_MS);
    return () => clearTimeout(timer);
  }, [value]);
  return settled;
}
