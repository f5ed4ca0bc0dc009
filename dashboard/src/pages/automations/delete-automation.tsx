import type { Models } from "../../api/client.ts";
import { DeleteFiles } from "../../editor/delete-files.tsx";
import { factoryPath } from "../../parts/factory-path.ts";

interface DeleteAutomationProps {
  factory: Models["Factory"];
  name: string;
  path: string;
}

/** Deletes an automation with its tests, after saying what it has been doing. */
export function DeleteAutomation({ factory, name, path }: DeleteAutomationProps) {
  return (
    <DeleteFiles
      factory={factory}
      what={`automation ${name}`}
      name={name}
      isPart={(each) => each === path || each.startsWith(`automations/${name}/tests/`)}
      leaveTo={factoryPath(factory.name, "automations")}
      consequences={(plan) => <p>{workText(plan, name)}</p>}
    />
  );
}

function workText({ traffic }: Models["Plan"], name: string): string {
  const runs = traffic?.automations.find((each) => each.name === name)?.before ?? 0;
  const work =
    runs === 0
      ? "No delivery from the last 7 days would have triggered it"
      : `Of the deliveries from the last 7 days, ${runs} would have triggered it`;
  return `${work}. After deletion, it will not start any more runs. Runs in progress continue, and past runs are retained.`;
}
