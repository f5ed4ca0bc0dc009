/** Which deliveries of a segment have a word: a bit for each, in the order of their ids. */
export type Bits = Uint8Array;

/** How the positions are written: what is smallest. */
const KINDS = { gaps: 0, bits: 1, gapsOfOthers: 2 } as const;

/** @returns an empty set for so many deliveries */
export function emptyBits(deliveries: number): Bits {
  return new Uint8Array(Math.ceil(deliveries / 8));
}

function setBit(bits: Bits, position: number): void {
  bits[position >> 3] = (bits[position >> 3] ?? 0) | (1 << (position & 7));
}

function hasBit(bits: Bits, position: number): boolean {
  return ((bits[position >> 3] ?? 0) & (1 << (position & 7))) !== 0;
}

/** Keeps of one set what the other has too. @returns whether anything is left */
export function keepCommon(bits: Bits, others: Bits): boolean {
  let any = 0;
  for (let at = 0; at < bits.length; at += 1) {
    const both = (bits[at] ?? 0) & (others[at] ?? 0);
    bits[at] = both;
    any |= both;
  }
  return any !== 0;
}

/** Writes rising positions. @returns what `readPostings` reads, with its kind */
export function writePostings(
  positions: readonly number[],
  deliveries: number,
): { kind: number; bytes: number[] } {
  const isMost = positions.length > deliveries / 2;
  const gaps = writeGaps(isMost ? others(positions, deliveries) : positions);
  if (gaps.length <= Math.ceil(deliveries / 8)) {
    return { kind: isMost ? KINDS.gapsOfOthers : KINDS.gaps, bytes: gaps };
  }
  const bits = emptyBits(deliveries);
  for (const position of positions) setBit(bits, position);
  return { kind: KINDS.bits, bytes: [...bits] };
}

/** Adds what was written to a set. */
export function readPostings(bits: Bits, kind: number, bytes: Uint8Array, deliveries: number): void {
  if (kind === KINDS.bits) {
    for (let at = 0; at < bits.length; at += 1) bits[at] = (bits[at] ?? 0) | (bytes[at] ?? 0);
    return;
  }
  if (kind === KINDS.gaps) {
    readGaps(bytes, (position) => setBit(bits, position));
    return;
  }
  const without = emptyBits(deliveries);
  readGaps(bytes, (position) => setBit(without, position));
  for (let position = 0; position < deliveries; position += 1)
    if (!hasBit(without, position)) setBit(bits, position);
}

/** The positions that were written, rising. */
export function readPositions(kind: number, bytes: Uint8Array, deliveries: number): number[] {
  if (kind === KINDS.gaps) {
    const positions: number[] = [];
    readGaps(bytes, (position) => positions.push(position));
    return positions;
  }
  const bits = emptyBits(deliveries);
  readPostings(bits, kind, bytes, deliveries);
  return positionsIn(bits);
}

/** The positions of a set, rising. */
export function positionsIn(bits: Bits): number[] {
  const positions: number[] = [];
  for (let at = 0; at < bits.length; at += 1) {
    const byte = bits[at] ?? 0;
    if (byte === 0) continue;
    for (let bit = 0; bit < 8; bit += 1) if (byte & (1 << bit)) positions.push(at * 8 + bit);
  }
  return positions;
}

function others(positions: readonly number[], deliveries: number): number[] {
  const left: number[] = [];
  let next = 0;
  for (let position = 0; position < deliveries; position += 1) {
    if (positions[next] === position) next += 1;
    else left.push(position);
  }
  return left;
}

/** The distance of each position from the one before it, seven bits a byte. */
function writeGaps(positions: readonly number[]): number[] {
  const bytes: number[] = [];
  let before = -1;
  for (const position of positions) {
    writeNumber(bytes, position - before - 1);
    before = position;
  }
  return bytes;
}

function readGaps(bytes: Uint8Array, found: (position: number) => void): void {
  let position = -1;
  for (let at = 0; at < bytes.length; ) {
    let [gap, shift, byte] = [0, 0, 0];
    do {
      byte = bytes[at] ?? 0;
      gap |= (byte & 127) << shift;
      shift += 7;
      at += 1;
    } while (byte > 127);
    position += gap + 1;
    found(position);
  }
}

/** Appends a number, seven bits a byte, the lowest first. */
export function writeNumber(bytes: number[], number: number): void {
  let rest = number;
  while (rest > 127) {
    bytes.push((rest & 127) | 128);
    rest >>>= 7;
  }
  bytes.push(rest);
}
