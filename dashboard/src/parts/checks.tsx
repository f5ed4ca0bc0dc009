import { Check, X } from "lucide-react";
import type { Models } from "../api/client.ts";
import styles from "./checks.module.css";

/** The checks of a filter one by one: what was asked, whether it held, and why. */
export function Checks({ checks }: { checks: readonly Models["FilterCheck"][] }) {
  return (
    <ul className={styles.checks}>
      {checks.map(({ check, passed, reason, field }) => (
        <li key={`${check} ${field} ${reason}`} className={passed ? styles.passed : styles.failed}>
          {passed ? <Check size={14} aria-label="Passed" /> : <X size={14} aria-label="Failed" />}
          <span>
            <strong>{check}</strong> {field && <code>{field}</code>} {reason}
          </span>
        </li>
      ))}
    </ul>
  );
}
