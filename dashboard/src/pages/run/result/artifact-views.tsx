import { useQuery } from "@tanstack/react-query";
import { FileText, Image } from "lucide-react";
import { type ReactNode, Suspense, useState } from "react";
import { BASE } from "../../../api/base.ts";
import type { Models } from "../../../api/models.ts";
import { artifactTextQuery } from "../../../api/run-queries.ts";
import { ArtifactList } from "../../../parts/runs/artifact-list.tsx";
import { sizeText } from "../../../parts/size-text.ts";
import { Loaded } from "../../../parts/tables/loaded.tsx";
import { Skeleton } from "../../../parts/tables/skeleton.tsx";
import { Markdown } from "../../../parts/text/markdown.tsx";
import { ScrollText } from "../../../parts/text/scroll-text.tsx";
import { later } from "../../../parts/time/later.tsx";
import styles from "./artifact-views.module.css";

type Artifact = Models["Artifact"];
type Data = Artifact["data"];

const patchArtifact = later(
  async () => (await import("../../../parts/diff/patch-artifact.tsx")).PatchArtifact,
);

/** Larger texts and images are downloaded. */
const MAX_TEXT = 256 * 1024;
const MAX_IMAGE = 10 * 1024 * 1024;

type Kind = "patch" | "image" | "markdown" | "text";

/**
 * What a run has left, as what it is: links, plans and other files as a list, and what can be shown in the page below it. A file is
 * never a page of its own: an image is drawn by an element for images, and all else is a text.
 */
export function ArtifactViews({ artifacts }: { artifacts: readonly Artifact[] }) {
  const shown = artifacts.flatMap(({ data, artifact_type }) => {
    const kind = artifact_type === "FILE" ? kindOf(data) : undefined;
    return kind === undefined ? [] : [{ data, kind }];
  });
  const listed = artifacts.filter(({ data }) => !shown.some((one) => one.data === data));
  return (
    <>
      <ArtifactList artifacts={listed} />
      <div className={styles.files}>
        {shown.map(({ data, kind }) =>
          kind === "patch" ? (
            <Suspense key={data.artifact_uid} fallback={<Skeleton rows={8} />}>
              <patchArtifact.Part data={data} />
            </Suspense>
          ) : (
            <FileView key={data.artifact_uid} data={data} kind={kind} />
          ),
        )}
      </div>
    </>
  );
}

function kindOf({ kind, filename = "", mime_type: type = "", size_bytes: size = 0 }: Data): Kind | undefined {
  if (kind === "patch") return "patch";
  if (/^image\/(?:png|jpeg|gif|webp|avif|svg\+xml)$/.test(type))
    return size <= MAX_IMAGE ? "image" : undefined;
  if (size > MAX_TEXT) return undefined;
  if (/\.(?:md|markdown)$/i.test(filename)) return "markdown";
  const isText = /^text\/|[/+](?:json|xml|yaml|toml|x-sh|javascript)$/.test(type);
  return isText || /\.(?:log|txt|out|ya?ml|toml|csv|ts|tsx|sh)$/i.test(filename) ? "text" : undefined;
}

/** A file that is loaded when it is open. Images are open at first. */
function FileView({ data, kind }: { data: Data; kind: Exclude<Kind, "patch"> }) {
  const { artifact_uid: uid, filename = uid, filepath = filename, size_bytes: size } = data;
  const [isOpen, setOpen] = useState(kind === "image");
  const href = `${BASE}/api/v1/agent/artifacts/${uid}/download`;
  const Icon = kind === "image" ? Image : FileText;
  return (
    <details
      className={styles.file}
      open={isOpen}
      onToggle={({ currentTarget }) => setOpen(currentTarget.open)}
    >
      <summary>
        <Icon size={16} aria-hidden /> <span className={styles.name}>{filepath}</span>
        {size !== undefined && <span className={styles.about}>{sizeText(size)}</span>}
        {data.contains_secret && <strong>contains a secret</strong>}
      </summary>
      {isOpen && (
        <div className={styles.content}>
          <Content kind={kind} uid={uid} name={filename} href={href} />
          <a href={href} download={filename}>
            Download
          </a>
        </div>
      )}
    </details>
  );
}

interface ContentProps {
  kind: Exclude<Kind, "patch">;
  uid: string;
  name: string;
  href: string;
}

function Content({ kind, uid, name, href }: ContentProps): ReactNode {
  if (kind === "image") return <img className={styles.image} src={href} alt={name} loading="lazy" />;
  return <TextContent uid={uid} name={name} isMarkdown={kind === "markdown"} />;
}

function TextContent({ uid, name, isMarkdown }: { uid: string; name: string; isMarkdown: boolean }) {
  const query = useQuery(artifactTextQuery(uid));
  return (
    <Loaded query={query}>
      {(text) => (isMarkdown ? <Markdown text={text} /> : <ScrollText label={name} text={text} />)}
    </Loaded>
  );
}
