/** Looks for patterns in a text that comes in pieces. */
export interface PatternScan {
  /**
   * Scans a text from a place on; before it is what may be a beginning, as the last scan has left it.
   * @param found gets each stretch that is covered, in the order of their ends; one that began in what is not held any
   * more has a start below 0
   * @returns where the beginning of a pattern lies that the text ends with; its length when there is none
   */
  scan(text: Uint8Array, from: number, found: (start: number, end: number) => void): number;
}

/** The two bytes of one line break: what is longer is none within a pattern, so that what may be a beginning has an end. */
const MAX_BREAK = 2;

/**
 * Nearly every line ends with a byte that begins some pattern, and has to be seen before the next one comes. So a shorter
 * beginning is not held back over a line break; it is looked for further all the same, and only it can be seen.
 */
const LEAST_HELD_OVER_LINES = 4;

/**
 * Prepares scans for two kinds of patterns at once: those that stand in one line, and those between whose bytes a line
 * break may stand, which is passed over. Both are looked for by one table, since most of a text begins no pattern.
 * @returns what makes a scan for each text
 */
export function createScanning(
  inOneLine: readonly Uint8Array[],
  overLines: readonly Uint8Array[],
): () => PatternScan {
  const [whole, broken] = [createAutomaton(inOneLine), createAutomaton(overLines)];
  const nextBegin = createBegins(inOneLine, overLines);

  return () => {
    let wholeState = 0;
    let brokenState = 0;
    /** Bytes of the line break that has been passed over last. */
    let passed = 0;

    /** Where what may be the beginning of a pattern begins. */
    function pendingFrom(text: Uint8Array, at: number): number {
      return Math.min(at - whole.depth(wholeState), backOverLines(text, at, broken.depth(brokenState), 0));
    }

    return {
      scan(text, from, found) {
        let at = from;
        let covered = 0;
        while (at < text.length) {
          if (wholeState === 0 && brokenState === 0) at = nextBegin(text, at);
          let until = at + BEGIN_BYTES;
          // Shorter beginnings are left to the table: it knows more of them at one look.
          while (
            at < text.length &&
            (at < until || whole.depth(wholeState) >= BEGIN_BYTES || broken.depth(brokenState) >= BEGIN_BYTES)
          ) {
            const byte = text[at] as number;
            at += 1;
            wholeState = whole.next(wholeState, byte);
            if (brokenState !== 0 && isLineBreak(byte) && passed < MAX_BREAK) {
              passed += 1;
              until += 1;
            } else {
              passed = 0;
              brokenState = broken.next(brokenState, byte);
            }
            const wholeLength = whole.ending(wholeState);
            const brokenLength = passed > 0 ? 0 : broken.ending(brokenState);
            if (wholeLength + brokenLength === 0) continue;
            // Those that overlap are one to whoever is told, so nothing is walked twice.
            found(Math.min(at - wholeLength, backOverLines(text, at, brokenLength, covered)), at);
            covered = at;
          }
          if (at < text.length) {
            at = pendingFrom(text, at);
            wholeState = 0;
            brokenState = 0;
            passed = 0;
          }
        }
        if (isLineBreak(text.at(-1)) && broken.depth(brokenState) < LEAST_HELD_OVER_LINES) {
          return text.length - whole.depth(wholeState);
        }
        return Math.max(0, pendingFrom(text, text.length));
      },
    };
  };
}

function isLineBreak(byte: number | undefined): boolean {
  return byte === NEWLINE || byte === RETURN;
}

/** The place before so many bytes that are no line break; or, where that is before `enough`, any that is. */
function backOverLines(text: Uint8Array, from: number, count: number, enough: number): number {
  let at = from;
  for (let left = count; left > 0 && at >= enough; at -= 1) if (!isLineBreak(text[at - 1])) left -= 1;
  return at;
}

/** So many bytes of their beginning tell where to look for patterns; none is shorter. */
const BEGIN_BYTES = 3;

/** The bytes of a line break. */
const NEWLINE = 0x0a;
const RETURN = 0x0d;

/** The first place from here on where a pattern may begin; the last two bytes are always such places. */
export type NextBegin = (bytes: Uint8Array, from: number) => number;

/**
 * Most places of most texts are passed over by one look into a table of how patterns begin.
 * @param overLines patterns between whose bytes a line break may stand
 */
function createBegins(inOneLine: readonly Uint8Array[], overLines: readonly Uint8Array[]): NextBegin {
  const begins = new Uint8Array(1 << 16);
  const hash = (a: number, b: number, c: number) => ((a << 8) ^ (b << 4) ^ (c << 1) ^ (c << 9)) & 0xffff;
  for (const [a = 0, b = 0, c = 0] of [...inOneLine, ...overLines]) begins[hash(a, b, c)] = 1;
  for (const [a = 0, b = 0] of overLines) {
    for (const end of [NEWLINE, RETURN]) {
      for (const next of [NEWLINE, RETURN, b]) begins[hash(a, end, next)] = 1;
      begins[hash(a, b, end)] = 1;
    }
  }
  return (bytes, from) => {
    const last = bytes.length - (BEGIN_BYTES - 1);
    let at = from;
    while (
      at < last &&
      begins[hash(bytes[at] as number, bytes[at + 1] as number, bytes[at + 2] as number)] === 0
    )
      at += 1;
    return at;
  };
}

/** Many patterns, looked for at once in one pass over a stream of bytes. States are numbers; the first is 0. */
export interface PatternAutomaton {
  /** The state after one more byte. */
  next(state: number, byte: number): number;
  /** How many of the last bytes are the beginning of a pattern. */
  depth(state: number): number;
  /** The length of the longest pattern that ends here; 0 when none does. */
  ending(state: number): number;
}

/**
 * Builds the automaton of Aho and Corasick (https://doi.org/10.1145/360825.360855): a tree of all patterns, in which each
 * node knows the longest other node that is an end of it. A stream costs the same however many patterns there are, and
 * whatever is in it.
 */
function createAutomaton(patterns: readonly Uint8Array[]): PatternAutomaton {
  const tree = growTree(patterns);
  const { find, depth, ending } = tree;
  const fallback = linkFallbacks(tree);
  return {
    next(from, byte) {
      let state = from;
      let found = find(state, byte);
      while (found === 0 && state !== 0) {
        state = fallback[state] as number;
        found = find(state, byte);
      }
      return found;
    },
    depth: (state) => depth[state] as number,
    ending: (state) => ending[state] as number,
  };
}

/** Nodes by number, parents before their children; the root is 0. */
interface Tree {
  size: number;
  parent: Int32Array;
  /** The byte that leads from the parent to a node. */
  byteOf: Uint8Array;
  depth: Int32Array;
  /** The length of the pattern that ends at a node. */
  ending: Int32Array;
  /** The child of a node by its byte; 0, which is nobody's child, when there is none. */
  find(node: number, byte: number): number;
}

/** The children of a node are a list, since nearly every node has one; the root has a table. */
function growTree(patterns: readonly Uint8Array[]): Tree {
  const most = 1 + patterns.reduce((sum, { length }) => sum + length, 0);
  const [parent, depth, ending, first, sibling] = [
    numbers(most),
    numbers(most),
    numbers(most),
    numbers(most),
    numbers(most),
  ];
  const byteOf = new Uint8Array(most);
  const ofRoot = numbers(256);
  let size = 1;

  function find(node: number, byte: number): number {
    if (node === 0) return ofRoot[byte] as number;
    let child = first[node] as number;
    while (child !== 0 && byteOf[child] !== byte) child = sibling[child] as number;
    return child;
  }

  function add(node: number, byte: number): number {
    const child = size;
    size += 1;
    parent[child] = node;
    byteOf[child] = byte;
    depth[child] = (depth[node] as number) + 1;
    if (node === 0) ofRoot[byte] = child;
    else {
      sibling[child] = first[node] as number;
      first[node] = child;
    }
    return child;
  }

  for (const pattern of patterns) {
    let node = 0;
    for (const byte of pattern) node = find(node, byte) || add(node, byte);
    ending[node] = pattern.length;
  }
  return { size, parent, byteOf, depth, ending, find };
}

const numbers = (size: number) => new Int32Array(size);

/** Links each node to the longest other node that is an end of it; shorter ones first, since longer ones ask them. */
function linkFallbacks({ size, parent, byteOf, depth, ending, find }: Tree): Int32Array {
  const fallback = numbers(size);
  for (const node of byDepth(size, depth)) {
    const above = parent[node] as number;
    const byte = byteOf[node] as number;
    if (above !== 0) {
      let state = fallback[above] as number;
      while (state !== 0 && find(state, byte) === 0) state = fallback[state] as number;
      fallback[node] = find(state, byte);
    }
    // A shorter pattern may end where no longer one does.
    ending[node] ||= ending[fallback[node] as number] as number;
  }
  return fallback;
}

/** All nodes but the root, counted into their places rather than sorted: there are many, and a run waits for it. */
function byDepth(size: number, depth: Int32Array): Int32Array {
  const place = numbers(size + 1);
  for (let node = 1; node < size; node += 1)
    place[(depth[node] as number) + 1] = (place[(depth[node] as number) + 1] as number) + 1;
  for (let at = 1; at <= size; at += 1) place[at] = (place[at] as number) + (place[at - 1] as number);
  const ordered = numbers(size - 1);
  for (let node = 1; node < size; node += 1) {
    const at = depth[node] as number;
    ordered[place[at] as number] = node;
    place[at] = (place[at] as number) + 1;
  }
  return ordered;
}
