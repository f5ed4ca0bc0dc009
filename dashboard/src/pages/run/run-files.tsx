import { useQuery } from "@tanstack/react-query";
import { Download } from "lucide-react";
import { BASE } from "../../api/base.ts";
import type { Models } from "../../api/client.ts";
import { attachmentsQuery } from "../../api/run-queries.ts";
import { Loaded } from "../../parts/loaded.tsx";
import { Section } from "../../parts/page.tsx";
import { sizeText } from "../../parts/size-text.ts";
import { hasEnded } from "../../parts/tones.ts";
import styles from "./run-files.module.css";

/** What a run was given, and what it has left behind. Files are downloaded, never shown as pages. */
export function RunFiles({ run }: { run: Models["RunItem"] }) {
  const attachments = useQuery(attachmentsQuery(run.run_id));
  const artifacts = run.artifacts ?? [];
  return (
    <>
      <Section title="Attachments">
        <Loaded query={attachments} rows={1}>
          {(all) => (
            <ul className={styles.files}>
              {all.length === 0 && <li className={styles.none}>No attachments.</li>}
              {all.map(({ name, size }) => (
                <FileLink
                  key={name}
                  name={name}
                  size={size}
                  href={`${BASE}/api/v1/agent/runs/${run.run_id}/attachments/${encodeURIComponent(name)}`}
                />
              ))}
            </ul>
          )}
        </Loaded>
      </Section>
      <Section title="Artifacts">
        <ul className={styles.files}>
          {artifacts.length === 0 && (
            <li className={styles.none}>
              {hasEnded(run.state) ? (
                "No artifacts."
              ) : (
                <span>
                  None yet. Files that the agent writes to <code>artifacts/</code> appear here.
                </span>
              )}
            </li>
          )}
          {artifacts.map((artifact) => (
            <ArtifactItem key={artifact.data.artifact_uid} artifact={artifact} />
          ))}
        </ul>
      </Section>
    </>
  );
}

function ArtifactItem({ artifact: { artifact_type, data } }: { artifact: Models["Artifact"] }) {
  const name = data.filename ?? data.title ?? data.url ?? artifact_type;
  if (data.size_bytes !== undefined) {
    return (
      <FileLink
        name={name}
        size={data.size_bytes}
        warning={data.contains_secret ? "contains a secret" : undefined}
        href={`${BASE}/api/v1/agent/artifacts/${data.artifact_uid}/download`}
      />
    );
  }
  return (
    <li>
      <span className={styles.none}>{artifact_type}</span>
      {isWebAddress(data.url) ? (
        <a href={data.url} target="_blank" rel="noreferrer">
          {name}
        </a>
      ) : (
        <span>{name}</span>
      )}
      {data.content && <pre className={styles.plan}>{data.content}</pre>}
    </li>
  );
}

interface FileLinkProps {
  name: string;
  size: number;
  href: string;
  warning?: string | undefined;
}

function FileLink({ name, size, href, warning }: FileLinkProps) {
  return (
    <li>
      <a href={href} download={name} className={styles.file}>
        <Download size={14} aria-hidden />
        {name}
      </a>
      <span className={styles.none}>{sizeText(size)}</span>
      {warning && <strong>{warning}</strong>}
    </li>
  );
}

/** An agent reports addresses: one that runs a script is no link. */
function isWebAddress(url: string | undefined): boolean {
  return url !== undefined && /^https?:\/\//i.test(url);
}
