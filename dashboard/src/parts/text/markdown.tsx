import type { MarkedToken, Token, Tokens } from "marked";
import { Fragment, type ReactNode, useMemo } from "react";
import styles from "./markdown.module.css";
import { markdownTokens } from "./markdown-tokens.ts";
import { OutsideLink } from "./outside-link.tsx";

/** What is nested more deeply is shown as it is written. */
const MAX_DEPTH = 12;

/**
 * Markdown that someone else wrote. Every part becomes an element of this page or a text: HTML is shown as it is written, links
 * lead to web addresses only, and images are links, so that nothing is requested from another server.
 */
export function Markdown({ text }: { text: string }) {
  const tokens = useMemo(() => markdownTokens(text), [text]);
  if (!tokens) return <p className={styles.plain}>{text}</p>;
  return <div className={styles.markdown}>{shown(tokens, 0)}</div>;
}

function shown(tokens: readonly Token[], depth: number): ReactNode {
  return tokens.map((token, place) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: the parts of a text have nothing but their places
    <Fragment key={place}>{element(token as MarkedToken, depth + 1)}</Fragment>
  ));
}

function element(token: MarkedToken, depth: number): ReactNode {
  if (depth > MAX_DEPTH) return token.raw;
  const inside = () => shown(("tokens" in token && token.tokens) || [], depth);
  switch (token.type) {
    case "space":
    case "def":
      return null;
    case "heading":
      // The page and its sections have the headings above.
      return token.depth === 1 ? <h3>{inside()}</h3> : <h4>{inside()}</h4>;
    case "paragraph":
      return <p>{inside()}</p>;
    case "strong":
      return <strong>{inside()}</strong>;
    case "em":
      return <em>{inside()}</em>;
    case "del":
      return <del>{inside()}</del>;
    case "codespan":
      return <code>{token.text}</code>;
    case "code":
      return <Code text={token.text} />;
    case "blockquote":
      return <blockquote>{inside()}</blockquote>;
    case "list":
      return <List list={token as Tokens.List} depth={depth} />;
    case "table":
      return <Table table={token as Tokens.Table} depth={depth} />;
    case "link":
      return <OutsideLink href={token.href}>{inside()}</OutsideLink>;
    case "image":
      return <OutsideLink href={token.href}>{decoded(token.text || token.href)}</OutsideLink>;
    case "hr":
      return <hr />;
    case "br":
      return <br />;
    case "text":
      return "tokens" in token && token.tokens ? inside() : decoded(token.text);
    case "escape":
      return decoded(token.text);
    default:
      return token.raw;
  }
}

function Code({ text }: { text: string }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls has to be reached by keys
    <pre className={styles.code} tabIndex={0}>
      {text}
    </pre>
  );
}

function List({ list, depth }: { list: Tokens.List; depth: number }) {
  const items = list.items.map(({ tokens, task, checked }, place) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: the parts of a text have nothing but their places
    <li key={place}>
      {task && (checked ? "☑ " : "☐ ")}
      {shown(tokens, depth)}
    </li>
  ));
  return list.ordered ? <ol start={Number(list.start) || 1}>{items}</ol> : <ul>{items}</ul>;
}

function Table({ table: { header, rows }, depth }: { table: Tokens.Table; depth: number }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls has to be reached by keys
    <div className={styles.table} tabIndex={0}>
      <table>
        <thead>
          <tr>
            {header.map(({ tokens }, place) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: the parts of a text have nothing but their places
              <th key={place}>{shown(tokens, depth)}</th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((cells, row) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: the parts of a text have nothing but their places
            <tr key={row}>
              {cells.map(({ tokens }, place) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: the parts of a text have nothing but their places
                <td key={place}>{shown(tokens, depth)}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

const ENTITIES: Readonly<Record<string, string>> = {
  "&amp;": "&",
  "&lt;": "<",
  "&gt;": ">",
  "&quot;": '"',
  "&#39;": "'",
  "&nbsp;": "\u00a0",
};

/** The characters that Markdown writes as entities; others stay as they are written. */
function decoded(text: string): string {
  return text.replaceAll(/&(?:amp|lt|gt|quot|#39|nbsp);/g, (entity) => ENTITIES[entity] ?? entity);
}
