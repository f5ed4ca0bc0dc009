import { ChevronDown, ChevronRight } from "lucide-react";
import { Counts } from "./counts.tsx";
import styles from "./file-head.module.css";
import type { PatchFile } from "./patch-files.ts";
import { visibleParts } from "./visible-text.ts";

interface FileHeadProps {
  file: PatchFile;
  isOpen: boolean;
  isSeen: boolean;
  onFold: () => void;
  onSeen: (isSeen: boolean) => void;
}

/** The name of a file that was changed, which folds it, with what is known of the change. */
export function FileHead({ file, isOpen, isSeen, onFold, onSeen }: FileHeadProps) {
  const { path, before, change, note, added, removed, content } = file;
  const Arrow = isOpen ? ChevronDown : ChevronRight;
  const about = [
    ...(change === "changed" ? [] : [change]),
    ...(note === undefined ? [] : [note]),
    ...(content.kind === "binary" ? ["binary"] : []),
    ...(content.kind === "huge" ? ["huge"] : []),
    ...(content.kind === "text" ? ["not readable as a patch"] : []),
  ].join(", ");
  return (
    <div className={isOpen ? styles.open : styles.head}>
      <h3>
        <button type="button" aria-expanded={isOpen} onClick={onFold}>
          <Arrow size={16} aria-hidden />
          <span className={styles.path}>
            {before !== undefined && (
              <>
                <Path path={before} /> →{" "}
              </>
            )}
            <Path path={path} />
          </span>
        </button>
      </h3>
      {about && <span className={styles.about}>{about}</span>}
      <span className={styles.right}>
        {added + removed > 0 && <Counts added={added} removed={removed} />}
        <label className={styles.seen}>
          <input
            type="checkbox"
            aria-label={`Seen: ${path}`}
            checked={isSeen}
            onChange={({ target }) => onSeen(target.checked)}
          />
          Seen
        </label>
      </span>
    </div>
  );
}

/** A path whose last part stands out, and in which nothing hides. */
function Path({ path }: { path: string }) {
  const end = path.lastIndexOf("/") + 1;
  const shown = (text: string) =>
    visibleParts(text)
      .map((part) => part.text)
      .join("");
  return (
    <>
      <span className={styles.folder}>{shown(path.slice(0, end))}</span>
      {shown(path.slice(end))}
    </>
  );
}
