import type { Files } from "../given/folder.ts";

/** A test, by its file and a part of its name, that shows the effect of a key from outside. */
export type ShownBy = { shownBy: [file: string, name: string] };
/** A definition that says the key, and the words of the notice that it has no effect yet. */
export type Notice = { notice: string; files: Files };
/** A text for people who read the definition. */
type ForReaders = "for readers";
export type Evidence = ShownBy | Notice | ForReaders;

export const shown = (file: string, name: string): ShownBy => ({ shownBy: [file, name] });
