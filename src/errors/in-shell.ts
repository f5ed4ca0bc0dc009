/** A word as a command line takes it. A name may have spaces and quotes. */
export function inShell(word: string): string {
  return /^[\w./:@-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
}

/**
 * The command that sets a secret that is not there. A server with several factories has to hear which of them may use it.
 * @param factory its name; nothing for a run of none
 */
export function setSecret(secret: string, factory: string | undefined): string {
  const ofFactory = factory === undefined ? "" : ` --factory ${inShell(factory)}`;
  return `millrace secrets set ${secret}${ofFactory}`;
}
