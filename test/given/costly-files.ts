/** As much as one file of a definition may hold. */
const MAX_FILE_BYTES = 256 * 1024;

/** YAML that takes long to read: each value of it is three characters. */
export function costlyYaml(key = "secretName"): string {
  const start = `${key}: [`;
  return `${start}${"{},".repeat((MAX_FILE_BYTES - start.length - 2) / 3)}]\n`;
}

/** A tree of such files. */
export function costlyFiles(count: number): Record<string, string> {
  return Object.fromEntries(Array.from({ length: count }, (_, n) => [`webhooks/w${n}.yaml`, costlyYaml()]));
}
