import { useQuery } from "@tanstack/react-query";
import { definitionQuery } from "../../api/queries.ts";
import { Loaded } from "../../parts/tables/loaded.tsx";
import { TextDiff } from "../../parts/text/text-diff.tsx";
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
  if (changed.length === 0) return <p role="status">The files are identical.</p>;
  return changed.map((path) => (
    <section key={path} className={styles.file} aria-label={path}>
      <h3>
        <code>{path}</code>
        {before[path] === undefined && " was added"}
        {after[path] === undefined && " was removed"}
      </h3>
      <TextDiff before={before[path] ?? ""} after={after[path] ?? ""} />
    </section>
  ));
}
