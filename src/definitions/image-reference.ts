const NAME = "[A-Za-z0-9]+(?:(?:[._]|__|-+)[A-Za-z0-9]+)*";
const HOST = `${NAME}(?::[0-9]{1,5})?`;
const TAG = "[A-Za-z0-9_][A-Za-z0-9._-]{0,127}";
const DIGEST = "[A-Za-z][A-Za-z0-9]*(?:[+._-][A-Za-z][A-Za-z0-9]*)*:[0-9a-fA-F]{32,}";
const REFERENCE = new RegExp(`^(?:${HOST}/)?${NAME}(?:/${NAME})*(?::${TAG})?(?:@${DIGEST})?$`);
const LONGEST = 500;

/** What is said of something else. */
export const EXPECTED_IMAGE = "expected an image reference, for example registry.example.com/team/image:1";

/**
 * Whether a text is a reference of an image: a host, a path, a tag and a digest
 * (https://pkg.go.dev/github.com/distribution/reference). It stands in the command line of an engine, which would take
 * `--volume=/:/host` for an option, and `docker-archive:/path` for a file of the server.
 */
export function isImageReference(text: string): boolean {
  return text.length <= LONGEST && REFERENCE.test(text);
}

/** The text as it is shown in a message. */
export function shownImage(text: string): string {
  return JSON.stringify(text.slice(0, 100));
}
