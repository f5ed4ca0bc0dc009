import { useInfiniteQuery } from "@tanstack/react-query";
import { Link } from "wouter";
import type { Models } from "../../api/client.ts";
import { itemsOf } from "../../api/pages.ts";
import { revisionsQuery } from "../../api/queries.ts";
import { PauseButton } from "../../frame/pause-button.tsx";
import { factoryPath } from "../../frame/use-factory.ts";
import { BreakablePath } from "../../parts/breakable-path.tsx";
import { Chip } from "../../parts/chip.tsx";
import { CopyBlock } from "../../parts/copyable.tsx";
import { Fact, Facts } from "../../parts/facts.tsx";
import { Section } from "../../parts/page.tsx";
import { ProblemList } from "../../parts/problem-list.tsx";
import { RelativeTime } from "../../parts/relative-time.tsx";
import { RevisionMark } from "../../parts/revision-mark.tsx";
import { SYNC_TONES } from "../../parts/tones.ts";
import styles from "./factory-card.module.css";

/** How a factory stands: what is active, since when, by whom, and what is wrong. */
export function FactoryCard({ factory }: { factory: Models["Factory"] }) {
  const { name, source, sync } = factory;
  const { data } = useInfiniteQuery(revisionsQuery(name));
  const inForce = itemsOf(data).find((revision) => revision.is_in_force && revision.outcome === "applied");
  const problems = sync.problems.filter(({ severity }) => severity !== "notice");
  return (
    <Section
      title={name}
      aside={
        <>
          <Chip tone={SYNC_TONES[sync.status]}>{sync.status}</Chip>
          <Link href={factoryPath(name, "revisions")}>Revisions</Link>
          <PauseButton what={{ factory: name }} name={name} />
        </>
      }
    >
      <div className={styles.card}>
        <Facts>
          <Fact name="Applied revision">
            {sync.applied_revision === null ? (
              "None yet"
            ) : (
              <RevisionMark source={source} revision={sync.applied_revision} />
            )}
          </Fact>
          {inForce?.message && (
            <Fact name="Change">
              <BreakablePath path={firstLine(inForce.message)} />
              {inForce.author && (
                <div className={styles.author} title={inForce.author}>
                  {nameOf(inForce.author)}
                </div>
              )}
            </Fact>
          )}
          <Fact name="Applied at">
            {sync.applied_at === null ? "—" : <RelativeTime at={sync.applied_at} />}
          </Fact>
          <Fact name="Source">
            {factory.mode === "managed" ? (
              "managed by millrace"
            ) : (
              <code>
                <BreakablePath path={source.url ?? source.path ?? ""} />
              </code>
            )}
            {factory.mode !== "managed" && source.branch && (
              <div className={styles.author}>branch {source.branch}</div>
            )}
          </Fact>
        </Facts>
        {problems.length > 0 && (
          <ProblemList problems={problems} factory={factory} revision={sync.attempted_revision} />
        )}
        {sync.applied_revision === null && problems.length === 0 && (
          <CopyBlock text={`millrace sync ${name}`} what="the sync command" />
        )}
      </div>
    </Section>
  );
}

/** An author as people say it, without the address. */
function nameOf(author: string): string {
  return author.replace(/\s*<[^>]*>$/, "") || author;
}

function firstLine(message: string): string {
  return message.split("\n")[0] ?? message;
}
