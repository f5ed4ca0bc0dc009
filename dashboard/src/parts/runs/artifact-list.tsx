import { Download, FileDiff, FileText, GitPullRequest, Link as LinkIcon } from "lucide-react";
import { Suspense, useState } from "react";
import { BASE } from "../../api/base.ts";
import type { Models } from "../../api/client.ts";
import { sizeText } from "../size-text.ts";
import { Skeleton } from "../tables/skeleton.tsx";
import { Markdown } from "../text/markdown.tsx";
import { OutsideLink } from "../text/outside-link.tsx";
import { later } from "../time/later.tsx";
import styles from "./artifact-list.module.css";
import { pullRequestName } from "./pull-request-name.ts";

type Artifact = Models["Artifact"];

/** What a person looks for first stands first. */
const ORDER: readonly Artifact["artifact_type"][] = ["PULL_REQUEST", "EXTERNAL_REFERENCE", "PLAN", "FILE"];
const SIZE = { size: 14, "aria-hidden": true } as const;

const patchArtifact = later(async () => (await import("../diff/patch-artifact.tsx")).PatchArtifact);

/** What runs have left behind: pull requests and links, then files. Files are downloaded, never shown as pages. */
export function ArtifactList({ artifacts }: { artifacts: readonly Artifact[] }) {
  if (artifacts.length === 0) return null;
  const place = ({ artifact_type }: Artifact) => ORDER.indexOf(artifact_type);
  return (
    <ul className={styles.artifacts} aria-label="Artifacts">
      {artifacts
        .toSorted((one, other) => place(one) - place(other))
        .map((artifact) => (
          <li key={artifact.data.artifact_uid}>
            <ArtifactItem artifact={artifact} />
          </li>
        ))}
    </ul>
  );
}

function ArtifactItem({ artifact: { artifact_type: type, data } }: { artifact: Artifact }) {
  const name = data.title || data.filename || data.url || data.repository || type;
  switch (type) {
    case "FILE":
      if (data.kind === "patch") return <PatchItem data={data} name={data.filename ?? name} />;
      return <FileItem data={data} name={data.filename ?? name} />;
    case "PLAN":
      return (
        <details className={styles.plan}>
          <summary>
            <FileText {...SIZE} /> {name}
          </summary>
          {data.content && <Markdown text={data.content} />}
        </details>
      );
    default:
      return (
        <>
          {type === "PULL_REQUEST" ? <GitPullRequest {...SIZE} /> : <LinkIcon {...SIZE} />}
          <OutsideLink href={data.url}>{data.title || shortAddress(data.url) || name}</OutsideLink>
          {data.branch && <code className={styles.about}>{data.branch}</code>}
        </>
      );
  }
}

function FileItem({ data, name }: { data: Artifact["data"]; name: string }) {
  return (
    <>
      <Download {...SIZE} />
      <a href={`${BASE}/api/v1/agent/artifacts/${data.artifact_uid}/download`} download={name}>
        {name}
      </a>
      {data.size_bytes !== undefined && <span className={styles.about}>{sizeText(data.size_bytes)}</span>}
      {data.contains_secret && <strong>contains a secret</strong>}
    </>
  );
}

/** What it changes is loaded when someone wants to see it. */
function PatchItem({ data, name }: { data: Artifact["data"]; name: string }) {
  const [isOpen, setOpen] = useState(false);
  return (
    <details className={styles.plan} onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary>
        <FileDiff {...SIZE} /> {name}
        {data.contains_secret && <strong> contains a secret</strong>}
      </summary>
      {isOpen && (
        <Suspense fallback={<Skeleton rows={8} />}>
          <patchArtifact.Part data={data} />
        </Suspense>
      )}
    </details>
  );
}

/** As people write the pull requests of a host, `acme/shop#12`; other addresses stay as they are. */
function shortAddress(url: string | undefined): string | undefined {
  const named = pullRequestName(url ?? "");
  return named === undefined ? url : `${named.repository}#${named.number}`;
}
