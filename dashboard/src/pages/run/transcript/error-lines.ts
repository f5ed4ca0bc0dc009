// biome-ignore lint/suspicious/noControlCharactersInRegex: it is the language of terminals
const STYLES = /\u001b\[[0-9;]*[A-Za-z]/g;
/** Words that programs begin their errors with, and marks of test runners. Part of a longer word, such as `error_count`, is none. */
const ERROR =
  /(?<![\w-])(?:error|errors|fatal|panic|panicked|exception|traceback|failed|failure|fail)(?![\w-])|^\s*[✖✗✘×] /i;
/** How programs name their errors: `TypeError`, `NullPointerException`. */
const NAMED = /[a-z](?:Error|Exception)\b/;
/** What says that there was none. */
const NONE = /(?<![\w.])(?:0|no|zero|without)\s+(?:\w+\s+)?(?:errors?|failures?|failed|exceptions?)\b/i;
/** What stands further to the right says nothing of the line. */
const READ_CHARACTERS = 1_000;

/** Whether a line of output reads like an error: it has a word or a mark of one, and does not say that there was none. */
export function isErrorLine(line: string): boolean {
  const text = withoutStyles(line.slice(0, READ_CHARACTERS));
  return (ERROR.test(text) || NAMED.test(text)) && !NONE.test(text);
}

/** The last lines that read like errors; where none does, the last lines that there are. */
export function lastErrorLines(lines: readonly string[], most: number): string[] {
  const written = lines.filter((line) => withoutStyles(line).trim() !== "");
  const errors = written.filter(isErrorLine);
  return (errors.length > 0 ? errors : written).slice(-most);
}

/** A line as it reads, without what a terminal makes of it. */
export function withoutStyles(line: string): string {
  return line.replace(STYLES, "");
}
