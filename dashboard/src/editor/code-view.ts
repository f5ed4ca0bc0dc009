import { autocompletion, type CompletionContext, type CompletionResult } from "@codemirror/autocomplete";
import { defaultKeymap, history, historyKeymap, indentWithTab } from "@codemirror/commands";
import { markdown } from "@codemirror/lang-markdown";
import { yaml, yamlFrontmatter } from "@codemirror/lang-yaml";
import { bracketMatching, indentOnInput } from "@codemirror/language";
import { type Diagnostic, lintKeymap, setDiagnostics } from "@codemirror/lint";
import { Annotation, EditorState, type Extension, type Text } from "@codemirror/state";
import { EditorView, highlightActiveLine, placeholder as hint, keymap, lineNumbers } from "@codemirror/view";
import { codeTheme } from "./code-theme.ts";
import type { Suggest } from "./use-suggestions.ts";

export type Language = "yaml" | "markdown" | "front-matter";

/** Something to say of a place in a text; lines and columns begin at 1. */
export interface Mark {
  line: number;
  column: number;
  severity: "error" | "warning" | "notice";
  message: string;
}

export interface CodeViewOptions {
  root: ShadowRoot;
  text: string;
  language: Language;
  /** What the text is, for who does not see it. */
  label: string;
  placeholder: string;
  suggest: Suggest;
  onChange: (text: string) => void;
  onSave: () => void;
}

export interface CodeView {
  setText(text: string): void;
  setMarks(marks: readonly Mark[]): void;
  /** Puts the cursor at a place, in view. */
  goTo(line: number, column: number): void;
  destroy(): void;
}

/** Says that a change has come from the page, and not from who writes. */
const FromPage = Annotation.define<boolean>();
const WORD = /[\w./@-]*/;

/**
 * A text that is being written. It lives in a shadow root: there CodeMirror has its styles in a style sheet object,
 * where it would otherwise write a style element, which the policy of the page does not allow.
 */
export function openCodeView(options: CodeViewOptions): CodeView {
  const { root, text, language, label, placeholder, ...on } = options;
  const view = new EditorView({
    root,
    parent: root,
    state: EditorState.create({
      doc: text,
      extensions: [
        lineNumbers(),
        history(),
        indentOnInput(),
        bracketMatching(),
        highlightActiveLine(),
        EditorView.lineWrapping,
        EditorState.tabSize.of(2),
        EditorView.contentAttributes.of({ "aria-label": label, spellcheck: String(language === "markdown") }),
        autocompletion({ override: [completionOf(on.suggest)], icons: false }),
        keymap.of([
          { key: "Mod-s", run: saving(on.onSave) },
          ...defaultKeymap,
          ...historyKeymap,
          ...lintKeymap,
          indentWithTab,
        ]),
        languageOf(language),
        placeholder === "" ? [] : hint(placeholder),
        codeTheme,
        EditorView.updateListener.of(({ docChanged, state, transactions }) => {
          const isFromPage = transactions.some((each) => each.annotation(FromPage));
          if (docChanged && !isFromPage) on.onChange(state.doc.toString());
        }),
      ],
    }),
  });
  return {
    setText(next) {
      const { doc } = view.state;
      if (doc.toString() === next) return;
      view.dispatch({
        changes: { from: 0, to: doc.length, insert: next },
        annotations: FromPage.of(true),
      });
    },
    setMarks(marks) {
      view.dispatch(
        setDiagnostics(
          view.state,
          marks.map((mark) => diagnosticOf(mark, view.state.doc)),
        ),
      );
    },
    goTo(line, column) {
      const anchor = offsetOf({ line, column }, view.state.doc);
      view.dispatch({ selection: { anchor }, effects: EditorView.scrollIntoView(anchor, { y: "center" }) });
      view.focus();
      view.dom.scrollIntoView({ block: "nearest" });
    },
    destroy: () => view.destroy(),
  };
}

function languageOf(language: Language): Extension {
  if (language === "yaml") return yaml();
  return language === "markdown" ? markdown() : yamlFrontmatter({ content: markdown() });
}

function saving(save: () => void): () => boolean {
  return () => {
    save();
    // The browser's own meaning of the keys is not asked for.
    return true;
  };
}

function completionOf(suggest: Suggest) {
  return async ({ state, pos, explicit }: CompletionContext): Promise<CompletionResult | null> => {
    const line = state.doc.lineAt(pos);
    const word = /[\w./@-]*$/.exec(line.text.slice(0, pos - line.from))?.[0] ?? "";
    if (word === "" && !explicit) return null;
    const options = await suggest(state.doc.toString(), pos);
    return options.length > 0 ? { from: pos - word.length, options, validFor: WORD } : null;
  };
}

const SEVERITIES = { error: "error", warning: "warning", notice: "info" } as const;

function diagnosticOf({ severity, message, ...place }: Mark, doc: Text): Diagnostic {
  const from = offsetOf(place, doc);
  const { to: end, from: start, text } = doc.lineAt(from);
  const marked = /^[\w-]+|^./.exec(text.slice(from - start))?.[0].length ?? 0;
  return { from, to: Math.min(end, from + marked), severity: SEVERITIES[severity], message };
}

/** Of a text that has changed in the meantime, the nearest place that there is. */
function offsetOf({ line, column }: Pick<Mark, "line" | "column">, doc: Text): number {
  const { from, to } = doc.line(Math.min(Math.max(1, line), doc.lines));
  return Math.min(from + Math.max(0, column - 1), to);
}
