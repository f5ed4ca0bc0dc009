import { useEffect, useState } from "react";

/** So long nobody has to write anything for the server to be asked about it. */
const PAUSE_MS = 400;

/** A value once it stays the same for a moment. */
export function useSettled(value: string): string {
  const [settled, setSettled] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(value), PAUSE_MS);
    return () => clearTimeout(timer);
  }, [value]);
  return settled;
}
