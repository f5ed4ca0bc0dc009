import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { type Models, millrace } from "../../api/client.ts";
import { Checks } from "../../parts/checks.tsx";
import { Chip } from "../../parts/chip.tsx";
import { useSettled } from "../../parts/filters/use-settled.ts";
import { ProblemNotice } from "../../parts/problem-notice.tsx";
import styles from "./payload-filter.module.css";

/** What a filter makes of a payload while it is being written: Would trigger or not, check by check. */
export function FilterTrial({ factory, request }: { factory: string; request: Models["FilterTestRequest"] }) {
  const settled = useSettled(JSON.stringify(request));
  const { data, error } = useQuery({
    queryKey: ["filter-test", factory, settled],
    queryFn: ({ signal }) => millrace.automations.testFilter(factory, JSON.parse(settled), { signal }),
    placeholderData: keepPreviousData,
    gcTime: 0,
  });
  if (error) return <ProblemNotice error={error} />;
  return (
    <div className={styles.trial}>
      {data && (
        <>
          <p role="status">
            <Chip tone={data.result === "Would trigger" ? "green" : "grey"}>{data.result}</Chip>
          </p>
          <Checks checks={data.checks} />
        </>
      )}
    </div>
  );
}
