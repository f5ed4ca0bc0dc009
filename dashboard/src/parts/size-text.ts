const UNITS = ["bytes", "KB", "MB", "GB"];

/** A number of bytes as people say it: 812 bytes, 3.4 KB. */
export function sizeText(bytes: number): string {
  let value = bytes;
  let unit = 0;
  while (value >= 1024 && unit < UNITS.length - 1) {
    value /= 1024;
    unit += 1;
  }
  return `${unit === 0 ? value : value.toFixed(1)} ${bytes === 1 ? "byte" : UNITS[unit]}`;
}
