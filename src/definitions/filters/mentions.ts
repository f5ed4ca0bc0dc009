import { Lexer, type MarkedToken, type Token, Tokenizer } from "marked";

/** GitHub takes no longer text. Of one that is longer, the rest is not read. */
const MAX_TEXT = 65_536;
/** Lists and quotes take the parser a time that grows with their number and their depth; nobody writes so many. */
const MAX_PARTS = 1_000;
const MAX_DEPTH = 20;
const LIST_ITEM = /^[ \t>]*(?:[-+*]|\d{1,9}[.)])(?:[ \t]|$)/gm;

/**
 * `@` and a login of GitHub, or a team `@acme/web`; in companies that manage their people, a login has a `_`. Emphasis may stand
 * around it: `_@ann_`. What stands before the `@` is looked at last, so that each character is looked at once.
 */
const MENTION =
  /@(?<![a-z\d@./-]_*@)([a-z\d](?:[a-z\d-]{0,37}[a-z\d])?(?:_[a-z\d]{1,20})?(?:\/[\w-]*[a-z\d])?)(?![a-z\d@-]|_+[a-z\d@-])/gi;

/**
 * Whom a Markdown text mentions: `@ann` and `@acme/team`, but not in code, HTML comments, addresses and paths, and not in lines
 * that quote somebody with `>`, as these have been written before.
 */
export function mentionsIn(text: string): string[] {
  const read = text.slice(0, MAX_TEXT);
  // Most texts mention nobody.
  if (read.search(MENTION) < 0) return [];
  const hidden: HiddenElement = { name: undefined, depth: 0 };
  return proseOf(read.replaceAll(/\r\n?/g, "\n")).flatMap((block) =>
    [...shownOf(block, hidden).matchAll(MENTION)].map(([, who = ""]) => who),
  );
}

/** The texts of the blocks that are neither code nor quotes. A text with too many or too deep parts is taken for a single block. */
function proseOf(text: string): string[] {
  // The parser finds all items of a list before it looks into the first.
  if ((text.match(LIST_ITEM)?.length ?? 0) > MAX_PARTS) return [text];
  try {
    return new BlockLexer().blockTokens(text, []).flatMap(textsOf);
  } catch (error) {
    if (error instanceof TooManyParts) return [text];
    throw error;
  }
}

class TooManyParts extends Error {}

/** Finds blocks and nothing inside of them, as only `lex` reads the queue of their texts, and gives up on what would take long. */
class BlockLexer extends Lexer {
  private parts = 0;
  private depth = 0;

  constructor() {
    super({ gfm: true, tokenizer: new BlockTokenizer() });
  }

  override blockTokens<Tokens extends Token[]>(src: string, tokens?: Tokens, clipped = false): Tokens {
    this.parts += 1;
    this.depth += 1;
    if (this.parts > MAX_PARTS || this.depth > MAX_DEPTH) throw new TooManyParts();
    const found = super.blockTokens(src, tokens, clipped) as Tokens;
    this.depth -= 1;
    return found;
  }
}

/** A row of a table gets as many cells as the first one has, however few are written. As paragraphs, its cells read the same. */
class BlockTokenizer extends Tokenizer {
  override table(): undefined {
    return undefined;
  }
}

function textsOf(generic: Token): string[] {
  const token = generic as MarkedToken;
  switch (token.type) {
    case "paragraph":
    case "heading":
    case "text":
      return [token.text];
    case "list":
      return token.items.flatMap((item) => item.tokens.flatMap(textsOf));
    case "blockquote":
      // A line without the mark is part of a quote only because nothing stands between.
      return [
        token.raw
          .split("\n")
          .filter((line) => !/^ *>/.test(line))
          .join("\n"),
      ];
    case "html":
      return isCutOff(token.text) ? [] : [token.text];
    default:
      return [];
  }
}

/** Parts of HTML that are not shown, by what they begin with. */
const UNSHOWN: readonly (readonly [string, string])[] = [
  ["<!--", "-->"],
  ["<![CDATA[", "]]>"],
  ["<?", "?>"],
];

const isCutOff = (html: string) =>
  UNSHOWN.some(([begin, end]) => html.trimStart().startsWith(begin) && !html.includes(end));

/** An element whose text is code, which may go on over several blocks. */
interface HiddenElement {
  name: string | undefined;
  depth: number;
}

const CODE_ELEMENTS: ReadonlySet<string> = new Set(["code", "pre", "tt", "script", "style"]);

/** What ends plain text: an escape, backticks, and what looks like HTML. */
const SPECIAL =
  /\\[\s\S]|`+|<!--|<!\[CDATA\[|<\?|<(\/?)([a-z][a-z\d-]*)(?:\s+[a-z_:][\w.:-]*(?:\s*=\s*(?:"[^"]*"|'[^']*'|[^\s"'=<>`]+))?)*\s*(\/?)>/gi;

/** The text of a block without code, comments and tags. @param hidden the element that is open at its beginning, and at its end */
function shownOf(block: string, hidden: HiddenElement): string {
  const runs = backtickRuns(block);
  const ends = new Map<string, boolean>();
  let shown = "";
  let from = 0;
  const take = (to: number) => {
    if (hidden.name === undefined) shown += `${block.slice(from, to)} `;
  };
  SPECIAL.lastIndex = 0;
  for (let match = SPECIAL.exec(block); match; match = SPECIAL.exec(block)) {
    const [found, slash, tag, isEmpty] = match;
    const after = match.index + found.length;
    let next: number | undefined;
    if (found.startsWith("`")) next = endOfCode(runs, found.length, after);
    else if (tag !== undefined) next = after;
    else if (!found.startsWith("\\")) next = endOfUnshown(block, found, after, ends);
    if (next === undefined) continue;
    take(match.index);
    if (tag !== undefined && isEmpty !== "/") follow(hidden, tag.toLowerCase(), slash === "/");
    from = next;
    SPECIAL.lastIndex = next;
  }
  take(block.length);
  return shown;
}

function follow(hidden: HiddenElement, tag: string, isEnd: boolean): void {
  if (hidden.name === undefined) {
    if (!isEnd && CODE_ELEMENTS.has(tag)) Object.assign(hidden, { name: tag, depth: 1 });
  } else if (tag === hidden.name) {
    hidden.depth += isEnd ? -1 : 1;
    if (hidden.depth === 0) hidden.name = undefined;
  }
}

/** Where runs of backticks end, by their length, from the last to the first. */
function backtickRuns(block: string): Map<number, number[]> {
  const runs = new Map<number, number[]>();
  for (const { 0: run, index } of block.matchAll(/`+/g)) {
    const ends = runs.get(run.length);
    if (ends) ends.push(index + run.length);
    else runs.set(run.length, [index + run.length]);
  }
  for (const ends of runs.values()) ends.reverse();
  return runs;
}

/** Code ends at the next run of as many backticks; where there is none, it is not code. */
function endOfCode(runs: Map<number, number[]>, length: number, after: number): number | undefined {
  const ends = runs.get(length) ?? [];
  while ((ends.at(-1) ?? Number.POSITIVE_INFINITY) < after + length) ends.pop();
  return ends.pop();
}

/** @param ends whether an end was still there when it was looked for last, so that nothing is looked for twice in vain */
function endOfUnshown(
  block: string,
  begin: string,
  after: number,
  ends: Map<string, boolean>,
): number | undefined {
  const end = UNSHOWN.find(([begun]) => begun === begin.toUpperCase())?.[1] ?? "";
  if (ends.get(end) === false) return undefined;
  const at = block.indexOf(end, begin === "<!--" ? after - 2 : after);
  ends.set(end, at >= 0);
  return at < 0 ? undefined : at + end.length;
}
