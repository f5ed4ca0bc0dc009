import { JsonView, type Props } from "react-json-view-lite";
import styles from "./json-tree.module.css";

/** What is open at first: the top, and what is small. A large payload would otherwise be thousands of lines at once. */
const OPEN_LEVELS = 2;
const MAX_OPEN = 100;

type StyleProps = NonNullable<Props["style"]>;

const STYLE = {
  container: styles.tree ?? "",
  basicChildStyle: styles.child ?? "",
  childFieldsContainer: styles.children ?? "",
  label: styles.label ?? "",
  clickableLabel: styles.label ?? "",
  nullValue: styles.other ?? "",
  undefinedValue: styles.other ?? "",
  stringValue: styles.text ?? "",
  booleanValue: styles.other ?? "",
  numberValue: styles.number ?? "",
  otherValue: styles.other ?? "",
  punctuation: styles.mark ?? "",
  expandIcon: styles.expand ?? "",
  collapseIcon: styles.collapse ?? "",
  collapsedContent: styles.more ?? "",
  noQuotesForStringValues: false,
  quotesForFieldNames: false,
} satisfies StyleProps;

/** A JSON value as a tree whose branches open and close. */
export function JsonTree({ value }: { value: unknown }) {
  if (typeof value !== "object" || value === null) return <pre>{JSON.stringify(value)}</pre>;
  return (
    <JsonView
      data={value}
      style={STYLE}
      clickToExpandNode
      shouldExpandNode={(level, inner) => level < OPEN_LEVELS && sizeOf(inner) <= MAX_OPEN}
    />
  );
}

function sizeOf(value: unknown): number {
  return typeof value === "object" && value !== null ? Object.keys(value).length : 0;
}
