import { useQuery } from "@tanstack/react-query";
import { Section } from "../../../parts/page.tsx";
import { ProblemNotice } from "../../../parts/problem-notice.tsx";
import { outboundListQuery } from "./outbound-queries.ts";
import { OutboundTable } from "./outbound-table.tsx";

/** Where events of a factory are posted to; nothing while there is no such place. */
export function OutboundList({ factory }: { factory: string }) {
  const { data = [], error } = useQuery(outboundListQuery(factory));
  if (error) return <ProblemNotice error={error} />;
  if (data.length === 0) return null;
  return (
    <Section title="Outbound webhooks" isFlush>
      <OutboundTable place={factory} outbound={data} />
    </Section>
  );
}
