import Anser from "anser";
import styles from "./ansi-line.module.css";

/** A line as a terminal shows it: in the sixteen colours and the weights, with what is sought marked. */
export function AnsiLine({ text, sought }: { text: string; sought: string }) {
  const parts = Anser.ansiToJson(text, { json: true, use_classes: true, remove_empty: true });
  return parts.map(({ content, fg, decorations }, place) => {
    const classes = [styles[fg ?? ""], ...decorations.map((decoration) => styles[decoration])];
    return (
      // biome-ignore lint/suspicious/noArrayIndexKey: the parts of a line have nothing but their places
      <span key={place} className={classes.filter(Boolean).join(" ")}>
        <Marked text={content} sought={sought} />
      </span>
    );
  });
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
