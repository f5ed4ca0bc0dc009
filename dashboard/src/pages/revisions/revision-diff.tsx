import { useQuery } from "@tanstack/react-query";
import { structuredPatch } from "diff";
import { definitionQuery } from "../../api/queries.ts";
import { Loaded } from "../../parts/loaded.tsx";
import styles from "./compare.module.css";

interface RevisionDiffProps {
  factory: string;
  before: string;
  after: string;
}

type Files = Readonly<Record<string, string>>;

/** The files that differ between two revisions, line by line. */
export function RevisionDiff({ factory, before, after }: RevisionDiffProps) {
  const left = useQuery(definitionQuery(factory, before));
  const right = useQuery(definitionQuery(factory, after));
  return (
    <Loaded query={left} rows={6}>
      {(old) => <Loaded query={right}>{(now) => <Differences before={old} after={now} />}</Loaded>}
    </Loaded>
  );
}

function Differences({ before, after }: { before: Files; after: Files }) {
  const paths = [...new Set([...Object.keys(before), ...Object.keys(after)])].sort();
  const changed = paths.filter((path) => before[path] !== after[path]);
  if (changed.length === 0) return <p role="status">Their files are the same.</p>;
  return changed.map((path) => (
    <section key={path} className={styles.file} aria-label={path}>
      <h3>
        <code>{path}</code>
        {before[path] === undefined && " was added"}
        {after[path] === undefined && " was removed"}
      </h3>
      <Hunks before={before[path] ?? ""} after={after[path] ?? ""} />
    </section>
  ));
}

const WORDS: Readonly<Record<string, { className: string; word: string }>> = {
  "+": { className: styles.added ?? "", word: "added: " },
  "-": { className: styles.removed ?? "", word: "removed: " },
};

function Hunks({ before, after }: { before: string; after: string }) {
  const { hunks } = structuredPatch("", "", before, after, "", "", { context: 3 });
  return hunks.map(({ oldStart, newStart, lines }) => (
    <pre key={`${oldStart} ${newStart}`} className={styles.hunk}>
      {lines.map((line, place) => {
        const { className = "", word = "" } = WORDS[line[0] ?? ""] ?? {};
        return (
          // biome-ignore lint/suspicious/noArrayIndexKey: lines of a hunk have nothing but their places
          <span key={place} className={className}>
            <span className="visually-hidden">{word}</span>
            {line}
            {"\n"}
          </span>
        );
      })}
    </pre>
  ));
}
