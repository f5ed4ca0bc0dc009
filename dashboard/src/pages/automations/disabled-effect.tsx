import { useQuery } from "@tanstack/react-query";
import { millrace } from "../../api/client.ts";

interface DisabledEffectProps {
  factory: string;
  path: string;
  /** Of the file as it is while the automation is disabled in it. */
  content: string;
}

/** How many runs an automation stops starting when a file that disables it is saved. */
export function DisabledEffect({ factory, path, content }: DisabledEffectProps) {
  const { data } = useQuery({
    queryKey: ["disabled-effect", factory, path],
    queryFn: () => millrace.factories.plan(factory, { changes: [{ path, content }] }),
    staleTime: 0,
    gcTime: 0,
  });
  const traffic = data?.traffic;
  if (!traffic) return null;
  const name = nameOf(path);
  const stopped = traffic.automations.find((each) => each.name === name)?.before ?? 0;
  return <>{textOf(stopped, traffic)}</>;
}

function textOf(stopped: number, { deliveries, since }: { deliveries: number; since: string }): string {
  const looked = `Of the ${deliveries} deliveries since ${since.slice(0, 10)},`;
  if (stopped === 0) return `${looked} none would have started a run of it.`;
  const days = Math.max(1, (Date.now() - Date.parse(since)) / 86_400_000);
  const daily = stopped < days ? "less than one" : `about ${Math.round(stopped / days)}`;
  return `${looked} ${stopped} would have started a run of it, ${daily} a day. It will not start any more.`;
}

/** The name of the automation that a file defines. */
function nameOf(path: string): string {
  return path.replace(/^automations\//, "").replace(/(\/automation)?\.md$/, "");
}
