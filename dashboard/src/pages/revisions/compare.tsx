import { lazy, Suspense, useState } from "react";
import type { Models } from "../../api/client.ts";
import { Choice } from "../../parts/forms/field.tsx";
import { Section } from "../../parts/page.tsx";
import { Skeleton } from "../../parts/tables/skeleton.tsx";
import styles from "./compare.module.css";

const RevisionDiff = lazy(async () => ({ default: (await import("./revision-diff.tsx")).RevisionDiff }));

interface CompareProps {
  factory: Models["Factory"];
  revisions: readonly Models["Revision"][];
}

/** What differs between the files of any two revisions that were tried. */
export function Compare({ factory, revisions }: CompareProps) {
  const tried = [...new Map(revisions.map((revision) => [revision.revision, revision])).values()];
  const [before, setBefore] = useState("");
  const [after, setAfter] = useState("");
  if (tried.length < 2) return null;
  const options = [
    { value: "", label: "Choose a revision" },
    ...tried.map(({ revision, message }) => ({
      value: revision,
      label: `${revision.slice(0, 10)} ${message?.split("\n")[0] ?? ""}`.trim(),
    })),
  ];
  return (
    <Section title="Compare">
      <div className={styles.compare}>
        <div className={styles.choose}>
          <Choice label="From" value={before} onChange={setBefore} options={options} />
          <Choice label="To" value={after} onChange={setAfter} options={options} />
        </div>
        {before !== "" && after !== "" && (
          <Suspense fallback={<Skeleton rows={6} />}>
            <RevisionDiff factory={factory.name} before={before} after={after} />
          </Suspense>
        )}
      </div>
    </Section>
  );
}
