import { useEffect, useMemo, useRef } from "react";
import { isMarkdown } from "./definition-text.ts";
import type { Session } from "./editing.tsx";
import { type EditorHandle, TextEditor } from "./text-editor.tsx";

/** The whole text of a file that is being written, with its problems at their places. */
export function FileEditor({ session, path }: { session: Session; path: string }) {
  const { drafts, check, target, arrived } = session;
  const editor = useRef<EditorHandle>(null);
  const marks = useMemo(() => check.findings.filter((each) => each.path === path), [check.findings, path]);
  useEffect(() => {
    if (target?.path !== path) return;
    editor.current?.goTo(target.line, target.column);
    arrived();
  }, [target, path, arrived]);
  return (
    <TextEditor
      ref={editor}
      label={path}
      language={isMarkdown(path) ? "front-matter" : "yaml"}
      value={drafts.files.find((draft) => draft.path === path)?.content ?? ""}
      onChange={(content) => drafts.change(path, { content })}
      onSave={session.save}
      marks={marks}
      suggest={session.suggestFor(path)}
    />
  );
}
