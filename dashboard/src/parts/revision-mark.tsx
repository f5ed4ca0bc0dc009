import { ExternalLink } from "lucide-react";
import type { Models } from "../api/client.ts";
import styles from "./revision-mark.module.css";
import { commitUrl } from "./source-links.ts";
import { Copyable } from "./text/copyable.tsx";

const SHOWN = 10;

/** A revision by its first characters; all of it is copied, and its commit is linked where its host is known. */
export function RevisionMark({
  source,
  revision,
}: {
  source: Models["Factory"]["source"];
  revision: string;
}) {
  const url = commitUrl(source, revision);
  return (
    <span className={styles.mark}>
      <Copyable text={revision} short={revision.slice(0, SHOWN)} what="the revision" />
      {url && (
        <a href={url} target="_blank" rel="noreferrer" aria-label="View the commit on its host">
          <ExternalLink size={14} aria-hidden />
        </a>
      )}
    </span>
  );
}
