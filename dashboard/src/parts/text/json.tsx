import { lazy, Suspense } from "react";
import { Skeleton } from "../tables/skeleton.tsx";

const JsonTree = lazy(async () => ({ default: (await import("./json-tree.tsx")).JsonTree }));

/** A value as a tree. What draws it is loaded when it is first shown. */
export function Json({ value }: { value: unknown }) {
  return (
    <Suspense fallback={<Skeleton />}>
      <JsonTree value={value} />
    </Suspense>
  );
}
