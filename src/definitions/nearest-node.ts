import { isMap, isNode, isPair, isScalar, isSeq, type Node } from "yaml";
import type { DataPath } from "./parse.ts";

/** The node at a data path, and the place of its key; of what is not there, the nearest one around it. */
export function nearestNode(root: Node, path: DataPath): { node: Node; keyOffset: number } {
  let node = root;
  let keyOffset = offsetOf(root);
  for (const step of path) {
    if (isMap(node)) {
      const pair = node.items.find((item) => isScalar(item.key) && String(item.key.value) === String(step));
      if (!pair || !isPair(pair)) break;
      keyOffset = offsetOf(pair.key as Node);
      node = isNode(pair.value) ? pair.value : (pair.key as Node);
    } else if (isSeq(node)) {
      const item = node.items[Number(step)];
      if (!isNode(item)) break;
      node = item;
      keyOffset = offsetOf(item);
    } else break;
  }
  return { node, keyOffset };
}

/** Where a node begins, in characters from the start of its text. */
export function offsetOf(node: Node): number {
  return node.range?.[0] ?? 0;
}
