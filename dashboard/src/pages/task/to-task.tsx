import { useQuery } from "@tanstack/react-query";
import { Redirect, useParams } from "wouter";
import { taskFactoryQuery } from "../../api/task-queries.ts";
import { factoryPath } from "../../parts/factory-path.ts";
import { Loaded } from "../../parts/tables/loaded.tsx";

/** The address without a factory, which programs can write that know a task by its uid alone. */
export function ToTask() {
  const { uid = "" } = useParams<{ uid: string }>();
  const query = useQuery(taskFactoryQuery(uid));
  return (
    <Loaded query={query} title="Task">
      {(factory) => <Redirect to={factoryPath(factory, "tasks", uid)} replace />}
    </Loaded>
  );
}
