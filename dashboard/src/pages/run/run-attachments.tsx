import { useQuery } from "@tanstack/react-query";
import { BASE } from "../../api/base.ts";
import type { Models } from "../../api/client.ts";
import { attachmentsQuery } from "../../api/run-queries.ts";
import { counted } from "../../parts/counted.ts";
import { Fold } from "../../parts/fold.tsx";
import styles from "../../parts/runs/artifact-list.module.css";
import { sizeText } from "../../parts/size-text.ts";

/** The files that a run was given, if any. */
export function RunAttachments({ run: { run_id } }: { run: Models["RunItem"] }) {
  const { data = [] } = useQuery(attachmentsQuery(run_id));
  if (data.length === 0) return null;
  return (
    <Fold title="Attachments" about={counted(data.length, "file")}>
      <ul className={styles.artifacts}>
        {data.map(({ name, size }) => (
          <li key={name}>
            <a
              href={`${BASE}/api/v1/agent/runs/${run_id}/attachments/${encodeURIComponent(name)}`}
              download={name}
            >
              {name}
            </a>
            <span className={styles.about}>{sizeText(size)}</span>
          </li>
        ))}
      </ul>
    </Fold>
  );
}
