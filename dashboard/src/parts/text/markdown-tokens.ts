import { Lexer, type MarkedToken, type Token, Tokenizer, type Tokens } from "marked";

/** A longer paragraph is shown as it is written: reading its emphasis and links takes time that grows with its square. */
const MAX_PARAGRAPH = 2_000;
/** After so much time, in milliseconds, the rest is shown as it is written: the text is an agent's, and may mean harm. */
const MAX_TIME = 150;

/** Of all tables: a row that is written with two characters gets as many cells as the first one has. */
const MAX_CELLS = 10_000;

/** Leaves tables as they are written once they have too many cells. */
class BoundedTokenizer extends Tokenizer {
  private room = MAX_CELLS;

  override table(src: string): Tokens.Table | undefined {
    const [, head = "", , rows = ""] = this.rules.block.table.exec(src) ?? [];
    const cells = head.split("|").length * (rows.split("\n").length + 1);
    if (cells > this.room) return undefined;
    this.room -= cells;
    return super.table(src);
  }
}

/** Finds the blocks of a text first, and reads what is in each of them later. */
class BlockLexer extends Lexer {
  readonly paragraphs: { text: string; tokens: Token[] }[] = [];

  override inline(text: string, tokens: Token[] = []): Token[] {
    this.paragraphs.push({ text, tokens });
    return tokens;
  }
}

/** Reads Markdown. @returns nothing for a text that cannot be read, as it is nested too deeply */
export function markdownTokens(
  text: string,
  now: () => number = () => performance.now(),
): MarkedToken[] | undefined {
  const lexer = new BlockLexer({ gfm: true, tokenizer: new BoundedTokenizer() });
  const end = now() + MAX_TIME;
  try {
    lexer.blockTokens(text.replaceAll(/\r\n?/g, "\n"), lexer.tokens);
    for (const { text, tokens } of lexer.paragraphs) {
      if (text.length <= MAX_PARAGRAPH && now() < end) lexer.inlineTokens(text, tokens);
      else tokens.push({ type: "text", raw: text, text, escaped: false });
    }
    return lexer.tokens as MarkedToken[];
  } catch {
    return undefined;
  }
}
