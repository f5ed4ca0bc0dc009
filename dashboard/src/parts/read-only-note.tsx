import type { Models } from "../api/client.ts";
import styles from "./read-only-note.module.css";
import { fileUrl } from "./source-links.ts";
import { BreakablePath } from "./text/breakable-path.tsx";

interface ReadOnlyNoteProps {
  factory: Models["Factory"] | undefined;
  /** The file that says what the page shows, or the folder with all of them. */
  path: string;
}

/** Says where a thing is changed that is not changed here; nothing for a factory that millrace keeps itself. */
export function ReadOnlyNote({ factory, path }: ReadOnlyNoteProps) {
  if (!factory || factory.mode === "managed") return null;
  const { source, sync } = factory;
  const isFile = /\.\w+$/.test(path);
  const url = sync.applied_revision && isFile ? fileUrl(source, sync.applied_revision, path) : undefined;
  const file = <code>{path}</code>;
  return (
    <p className={styles.note}>
      Read-only here. To make a change, edit{" "}
      {url ? (
        <a href={url} target="_blank" rel="noreferrer">
          {file}
        </a>
      ) : (
        file
      )}{" "}
      in{" "}
      <code>
        <BreakablePath path={source.url ?? source.path ?? ""} />
      </code>
      {factory.mode === "repository" ? (
        <>
          {" "}
          and merge the change into branch <code>{source.branch}</code>. To check the definition first, run{" "}
          <code>millrace validate</code>.
        </>
      ) : (
        <>
          . The folder is watched, so saving the file is enough. To check the definition first, run{" "}
          <code>millrace validate</code>.
        </>
      )}
    </p>
  );
}
