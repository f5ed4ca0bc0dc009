/** What the YAML library says, and what a person can do about it. Others of its messages say so themselves. */
const REMEDIES: Readonly<Record<string, string>> = {
  "Implicit keys need to be on a single line":
    "expected `key: value` on one line: a colon is missing, or the space after it",
  "Implicit map keys need to be followed by map values":
    "expected `key: value` on one line: a colon is missing, or the space after it",
  "Nested mappings are not allowed in compact mappings":
    "expected one `key: value` per line: quote a value that contains a colon and a space, and indent all keys of a mapping equally",
  "Sequence item without - indicator":
    'expected a line that starts with "- ", or a line that is indented as far as the text after the "- " above',
};

/** The first line of an error of the YAML library, in the words of whoever has written the file. */
export function explainYamlError(message: string): string {
  const line = (message.split("\n")[0] ?? message).replace(/ at line \d+, column \d+:?$/, "");
  return REMEDIES[line] ?? line;
}
