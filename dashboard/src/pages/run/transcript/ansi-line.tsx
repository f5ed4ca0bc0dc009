import Anser from "anser";
import type { CSSProperties } from "react";
import { OutsideLink } from "../../../parts/text/outside-link.tsx";
import styles from "./ansi-line.module.css";
import { foundLinks, foundParts } from "./found-links.ts";
import { paletteColour } from "./palette.ts";

/** A line as a terminal shows it: in its colours and weights, with its addresses as links, and with what is sought marked. */
export function AnsiLine({ text, sought = "" }: { text: string; sought?: string }) {
  const parts = Anser.ansiToJson(text, { json: true, use_classes: true, remove_empty: true });
  return parts.map(({ content, fg, fg_truecolor, bg, bg_truecolor, decorations }, place) => {
    const exact = exactColour(fg, fg_truecolor);
    const ground = exactColour(bg, bg_truecolor);
    const classes = [
      exact ? styles.exact : styles[fg ?? ""],
      ground ? styles["exact-ground"] : bg && styles[`on-${bg}`],
      ...decorations.map((decoration) => styles[decoration]),
    ];
    return (
      <span
        // biome-ignore lint/suspicious/noArrayIndexKey: the parts of a line have nothing but their places
        key={place}
        className={classes.filter(Boolean).join(" ")}
        style={
          {
            ...(exact ? { "--exact": `rgb(${exact})` } : {}),
            ...(ground ? { "--exact-ground": `rgb(${ground})` } : {}),
          } as CSSProperties
        }
      >
        <Linked text={content} sought={sought} />
      </span>
    );
  });
}

/** A colour beyond the sixteen, which the style sheet makes dark or light enough to be read. */
function exactColour(named: string | null, truecolor: string | null): string | undefined {
  if (named === "ansi-truecolor" && truecolor) return truecolor;
  const index = /^ansi-palette-(\d+)$/.exec(named ?? "")?.[1];
  return index === undefined ? undefined : paletteColour(Number(index));
}

function Linked({ text, sought }: { text: string; sought: string }) {
  return foundLinks(text).map((part, place) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: the parts of a line have nothing but their places
    <OutsideLink key={place} href={part.href}>
      <Marked text={part.text} sought={sought} />
    </OutsideLink>
  ));
}

/** Without one element in another for each place: an agent can write a line in which there are a hundred thousand. */
function Marked({ text, sought }: { text: string; sought: string }) {
  return foundParts(text, sought).map((part, place) =>
    // biome-ignore lint/suspicious/noArrayIndexKey: the parts of a line have nothing but their places
    place % 2 === 0 ? part : <mark key={place}>{part}</mark>,
  );
}
