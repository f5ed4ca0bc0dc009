import { type Ref, useEffect, useImperativeHandle, useRef } from "react";
import { type CodeView, type Language, type Mark, openCodeView } from "./code-view.ts";
import styles from "./text-editor.module.css";
import type { Suggest } from "./use-suggestions.ts";

/** What others can do with an editor. */
export interface EditorHandle {
  goTo(line: number, column: number): void;
}

interface TextEditorProps {
  /** What the text is. */
  label: string;
  language: Language;
  value: string;
  onChange: (text: string) => void;
  /** For Ctrl-S. */
  onSave: () => void;
  marks?: readonly Mark[];
  suggest?: Suggest;
  /** What stands there as long as nothing is written. */
  placeholder?: string;
  ref?: Ref<EditorHandle>;
}

const NO_MARKS: readonly Mark[] = [];

/** An editor for text. Tab indents; Escape and then Tab leaves it, which the page has to say: see {@link KeysHint}. */
export function TextEditor(props: TextEditorProps) {
  const { label, language, value, marks = NO_MARKS, placeholder = "", ref, ...on } = props;
  const host = useRef<HTMLDivElement>(null);
  const view = useRef<CodeView>(undefined);
  // What is called is always the newest, while the editor stays the same.
  const current = useRef({ value, ...on });
  current.current = { value, ...on };
  useEffect(() => {
    if (!host.current) return;
    const root = host.current.shadowRoot ?? host.current.attachShadow({ mode: "open" });
    const opened = openCodeView({
      root,
      text: current.current.value,
      language,
      label,
      placeholder,
      suggest: (text, offset) => current.current.suggest?.(text, offset) ?? Promise.resolve([]),
      onChange: (text) => current.current.onChange(text),
      onSave: () => current.current.onSave(),
    });
    view.current = opened;
    return () => opened.destroy();
  }, [language, label, placeholder]);
  useEffect(() => view.current?.setText(value), [value]);
  useEffect(() => view.current?.setMarks(marks), [marks]);
  useImperativeHandle(ref, () => ({ goTo: (line, column) => view.current?.goTo(line, column) }), []);
  return <div className={styles.host} ref={host} />;
}

/** How the keyboard works in an editor, and how it gets out of it. */
export function KeysHint() {
  return (
    <p className={styles.hint}>
      <kbd>Tab</kbd> indents; <kbd>Esc</kbd>, then <kbd>Tab</kbd> leaves the editor. <kbd>Ctrl</kbd>+
      <kbd>Space</kbd> shows completions, <kbd>F8</kbd> goes to the next problem, <kbd>Ctrl</kbd>+<kbd>S</kbd>{" "}
      saves.
    </p>
  );
}
