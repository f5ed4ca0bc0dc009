import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { mentionsIn } from "../../../src/definitions/filters/mentions.ts";

const FENCE = "```";

describe("a mention", () => {
  test.each([
    ["in emphasis", "_@out_ **@out** *@out* __@out__ ~~@out~~", 5],
    ["of a login with a hyphen and an underscore", "@out-1_acme, @out-1", 2],
    ["in a heading", "# cc @out", 1],
    ["in a list and in a task list", "- @out\n- [ ] @out\n  1. @out", 3],
    ["in a table", "| a | b |\n|---|---|\n| @out | `@in` |", 1],
    ["in the text of a link", "[@out](https://example.org/@in)", 1],
    ["in an HTML element", '<details title="@in">\n<summary>@out</summary>\n\n@out\n</details>', 2],
    ["in a paragraph that goes on with a deep line", "hi\n    @out", 1],
    ["after three backticks in the middle of a line", `hello ${FENCE} there\n\n@out`, 1],
    ["after a line that cannot begin a fence, as a backtick follows", `${FENCE} a\`b\n@out`, 1],
    ["between escaped backticks", "\\`@out\\`", 1],
    ["between runs of backticks of other lengths", "``@out`", 1],
    ["after a fence in a list", `- a\n  ${FENCE}\n  @in\n  ${FENCE}\n- @out`, 1],
    ["after a comment on the same line", "<!-- @in --> @out", 1],
    ["after a comment that never began", "@out --> @out", 2],
    ["after a quote, on a line without the mark", "> @in\n@out\n\n@out", 2],
    ["of a team in parentheses", "(@out/web-team)", 1],
  ])("counts %s", (_, text, times) => {
    expect(mentionsIn(text).filter((who) => who.startsWith("out"))).toHaveLength(times);
    expect(mentionsIn(text).filter((who) => who.startsWith("in"))).toEqual([]);
  });

  test.each([
    ["a comment of an issue template", "<!-- cc @in -->\n\n### What happened?"],
    ["a comment over several paragraphs", "<!--\n\n@in\n\n-->\nhello"],
    ["a comment in a sentence", "see <!-- @in --> this"],
    ["a comment without an end", "hello\n\n<!-- @in\n\n@in"],
    ["a code element", "run <code>npm i @in/web</code> and <CODE class='a'>@in</CODE>"],
    ["a code element over several paragraphs", "<pre><code>\n@in\n\n@in\n</code></pre>"],
    ["indented code", "hello\n\n    @in\n\n\t@in"],
    ["a code span over two lines", "`a\n@in` b"],
    ["a code span with backticks", "`` ` @in ` ``"],
    ["a code span that ends with a backslash", "`\\` @out `@in`"],
    ["a fence within a longer fence", `${FENCE}\`\n${FENCE}\n@in\n${FENCE}\n@in\n${FENCE}\``],
    ["a fence of tildes", "~~~\n@in\n~~~"],
    ["a fence of backticks within one of tildes", `~~~ts\n${FENCE}\n@in\n~~~`],
    ["a fence without an end", `hello\n${FENCE}js\n@in`],
    ["a fence with line ends of Windows", `${FENCE}\r\n@in\r\n${FENCE}\r\n`],
    ["a fence in a quote", `> ${FENCE}\n> @in\n> ${FENCE}`],
    ["a quote", "> On Monday, @in wrote:\n>> @in\n\nI agree."],
    ["a quote in a list", "- > @in"],
    ["an address", "in@in.example, <mailto:a@in>, https://example.org/@in"],
    ["the address of a link", "[a](https://example.org/@in)"],
  ])("does not count in %s", (_, text) => {
    expect(mentionsIn(text).filter((who) => who.startsWith("in"))).toEqual([]);
  });
});

const piece = fc.constantFrom(
  ...[
    "<!--",
    "-->",
    "`",
    "``",
    FENCE,
    "~~~",
    "\n",
    "\n\n",
    "> ",
    "- ",
    "1. ",
    "  ",
    "    ",
    "\t",
    "\\",
    "|",
    "|-|\n",
  ],
  ...[
    "@ann ",
    "_@ann_",
    "text ",
    "<code>",
    "</code>",
    "<div>",
    "<![CDATA[",
    "<?",
    "[",
    "](",
    "*",
    "#",
    "=",
    "&",
    "<",
  ],
);
const markdown = fc.array(piece, { maxLength: 60 }).map((pieces) => pieces.join(""));

describe("of any text", () => {
  test("what stands in a long fence is not a mention, and what stands around it is", () => {
    fc.assert(
      fc.property(markdown, (text) => {
        const fence = "`".repeat(100);
        expect(mentionsIn(`@first\n\n${fence}\n${text}\n${fence}\n\n@last`)).toEqual(["first", "last"]);
      }),
    );
  });

  test("a mention in the first paragraph counts, and every one that counts is written there", () => {
    fc.assert(
      fc.property(markdown, (text) => {
        const [first, ...others] = mentionsIn(`@first\n\n${text}`);
        expect(first).toBe("first");
        expect(others.length).toBeLessThanOrEqual(text.split("@ann").length - 1);
        // A login may have a `_`: in "@ann_text", that is Ann's account of a company.
        expect(others.every((who) => who === "ann" || who.startsWith("ann_"))).toBe(true);
      }),
    );
  });

  test.each([
    "  1. \n",
    "- ",
    "> ",
    ">\n",
    "- a\n",
    "  - [ ] a\n",
    "=\n\n",
    "| a\n",
    "a|b\n-|-\n",
    "`a``",
    "<!--",
    "<a ",
    "[",
    "\\",
    "<code>",
  ])("a comment that repeats %j is read, as far as GitHub accepts its length", (part) => {
    const text = `@first\n\n${part.repeat(1_000_000 / part.length)}`;
    expect(mentionsIn(text)).toEqual(["first"]);
    expect(mentionsIn(`${text.slice(0, 65_536)}\n\n@later`)).toEqual(["first"]);
  });
});
