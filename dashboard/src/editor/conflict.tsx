import { useQueries, useQuery } from "@tanstack/react-query";
import { fileQuery, filesQuery } from "../api/file-queries.ts";
import { Button } from "../parts/button.tsx";
import { Actions } from "../parts/dialog.tsx";
import { Section } from "../parts/page.tsx";
import { TextDiff } from "../parts/text-diff.tsx";
import styles from "./conflict.module.css";
import type { Draft, Drafts } from "./drafts.ts";

/** Says, as soon as it is so, that somebody has changed a file which is being written here; nothing is lost either way. */
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
    <Section title={isNew ? "There is such a file already" : "Somebody has changed this meanwhile"}>
      <div className={styles.conflict}>
        <p role="alert">
          {theirs === undefined ? (
            <>
              <code>{draft.path}</code> has been deleted since you opened it. Your text is still here.
            </>
          ) : (
            <>
              <code>{draft.path}</code> is not what it was when you opened it. Your text is still here; this
              is how it differs from what is in force now:
            </>
          )}
        </p>
        {theirs !== undefined && <TextDiff before={theirs} after={draft.content} />}
        <Actions>
          <Button onPress={onTakeTheirs}>
            {theirs === undefined ? "Start with an empty file" : "Take theirs"}
          </Button>
          <Button onPress={onKeepMine}>Go on with mine</Button>
        </Actions>
        <p className={styles.muted}>
          Taking theirs gives up what you have written. Going on with yours saves nothing yet: it replaces
          theirs when you save.
        </p>
      </div>
    </Section>
  );
}
