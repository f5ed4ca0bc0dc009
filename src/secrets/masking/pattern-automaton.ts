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
export function createAutomaton(patterns: readonly Uint8Array[]): PatternAutomaton {
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
