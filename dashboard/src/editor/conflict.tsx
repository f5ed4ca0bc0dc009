import { useQueries, useQuery } from "@tanstack/react-query";
import { fileQuery, filesQuery } from "../api/file-queries.ts";
import { Button } from "../parts/button.tsx";
import { Actions } from "../parts/forms/dialog.tsx";
import { Section } from "../parts/page.tsx";
import { TextDiff } from "../parts/text/text-diff.tsx";
import styles from "./conflict.module.css";
import type { Draft, Drafts } from "./drafts.ts";

/**
 * Says, as soon as it is so, that someone has changed a file which is being written here; nothing is lost either way.
 */
export function Conflicts({ factory, drafts }: { factory: string; drafts: Drafts }) {
  const { data: inForce = [] } = useQuery(filesQuery(factory));
  const isThere = ({ path, etag }: Draft) => etag !== undefined || inForce.some((file) => file.path === path);
  const queries = useQueries({
    queries: drafts.files.map((draft) => ({ ...fileQuery(factory, draft.path), enabled: isThere(draft) })),
  });
  return drafts.files.map((draft, place) => {
    const theirs = queries[place]?.data;
    if (theirs === undefined || !isThere(draft) || (theirs?.etag ?? undefined) === draft.etag) return null;
    const content = theirs?.content ?? "";
    return (
      <Conflict
        key={draft.path}
        draft={draft}
        theirs={theirs ? content : undefined}
        onTakeTheirs={() => drafts.change(draft.path, { etag: theirs?.etag, base: content, content })}
        onKeepMine={() => drafts.change(draft.path, { etag: theirs?.etag, base: content })}
      />
    );
  });
}

interface ConflictProps {
  draft: Draft;
  /** Nothing when it has been deleted. */
  theirs: string | undefined;
  onTakeTheirs: () => void;
  onKeepMine: () => void;
}

function Conflict({ draft, theirs, onTakeTheirs, onKeepMine }: ConflictProps) {
  const isNew = draft.etag === undefined;
  return (
    <Section title={isNew ? "This file already exists" : "This file was changed by someone else"}>
      <div className={styles.conflict}>
        <p role="alert">
          {theirs === undefined ? (
            <>
              <code>{draft.path}</code> was deleted after you opened it. Your text is still here.
            </>
          ) : (
            <>
              <code>{draft.path}</code> was changed after you opened it. Your text is still here. The
              differences from the applied version:
            </>
          )}
        </p>
        {theirs !== undefined && <TextDiff before={theirs} after={draft.content} />}
        <Actions>
          <Button onPress={onTakeTheirs}>
            {theirs === undefined ? "Start with an empty file" : "Use theirs"}
          </Button>
          <Button onPress={onKeepMine}>Continue with mine</Button>
        </Actions>
        <p className={styles.muted}>
          Using theirs discards your changes. Continuing with yours does not save anything yet: your text
          replaces theirs when you save.
        </p>
      </div>
    </Section>
  );
}
