import styles from "./changes.module.css";

interface Change {
  action: string;
  kind: string;
  name: string;
  fields: readonly string[];
}

const SIGNS: Readonly<Record<string, string>> = { create: "+", update: "~", delete: "−" };

/** What a revision changes, resource by resource. */
export function Changes({ changes }: { changes: readonly Change[] }) {
  return (
    <ul className={styles.changes}>
      {changes.map(({ action, kind, name, fields }) => (
        <li key={`${kind} ${name}`} className={styles.change}>
          <span className={styles[action]}>
            <code aria-hidden="true">{SIGNS[action]}</code> {action}
          </span>
          <span>
            {kind} <strong>{name}</strong>
          </span>
          {fields.length > 0 && <span className={styles.fields}>{fields.join(", ")}</span>}
        </li>
      ))}
    </ul>
  );
}
