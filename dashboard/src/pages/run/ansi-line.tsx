import Anser from "anser";
import type { CSSProperties } from "react";
import styles from "./ansi-line.module.css";
import { paletteColour } from "./palette.ts";

/** A line as a terminal shows it: in its colours and weights, with what is sought marked. */
export function AnsiLine({ text, sought }: { text: string; sought: string }) {
  const parts = Anser.ansiToJson(text, { json: true, use_classes: true, remove_empty: true });
  return parts.map(({ content, fg, fg_truecolor, decorations }, place) => {
    const exact = exactColour(fg, fg_truecolor);
    const classes = [
      exact ? styles.exact : styles[fg ?? ""],
      ...decorations.map((decoration) => styles[decoration]),
    ];
    return (
      <span
        // biome-ignore lint/suspicious/noArrayIndexKey: the parts of a line have nothing but their places
        key={place}
        className={classes.filter(Boolean).join(" ")}
        {...(exact ? { style: { "--exact": `rgb(${exact})` } as CSSProperties } : {})}
      >
        <Marked text={content} sought={sought} />
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

function Marked({ text, sought }: { text: string; sought: string }) {
  const place = sought === "" ? -1 : text.toLowerCase().indexOf(sought.toLowerCase());
  if (place < 0) return text;
  const end = place + sought.length;
  return (
    <>
      {text.slice(0, place)}
      <mark>{text.slice(place, end)}</mark>
      <Marked text={text.slice(end)} sought={sought} />
    </>
  );
}
