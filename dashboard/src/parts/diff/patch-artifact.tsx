import { queryOptions, useQuery } from "@tanstack/react-query";
import { BASE } from "../../api/base.ts";
import { type Models, millrace } from "../../api/client.ts";
import { sizeText } from "../size-text.ts";
import { Loaded } from "../tables/loaded.tsx";
import { readPatch } from "./patch-files.ts";
import styles from "./patch-view.module.css";
import { PatchView } from "./patch-view.tsx";

/** A larger patch is for the tools of who downloads it. */
const MAX_BYTES = 4 * 1024 * 1024;

/** What a run has left never changes. */
const patchQuery = (uid: string) =>
  queryOptions({
    queryKey: ["patch", uid],
    staleTime: Number.POSITIVE_INFINITY,
    queryFn: async () => readPatch(new TextDecoder().decode(await millrace.runs.artifactFile(uid))),
  });

/** A file that is a patch, as what it changes. */
export function PatchArtifact({ data }: { data: Models["Artifact"]["data"] }) {
  const { artifact_uid: uid, filename = "change.patch", sha256 = uid, size_bytes: size = 0 } = data;
  const isHuge = size > MAX_BYTES;
  const query = useQuery({ ...patchQuery(uid), enabled: !isHuge });
  const href = `${BASE}/api/v1/agent/artifacts/${uid}/download`;
  if (isHuge) {
    return (
      <p className={styles.muted}>
        Too large to be shown: {sizeText(size)}.{" "}
        <a href={href} download={filename}>
          Download {filename}
        </a>
      </p>
    );
  }
  return (
    <Loaded query={query} rows={8}>
      {(patch) => <PatchView key={uid} patch={patch} sha256={sha256} name={filename} href={href} />}
    </Loaded>
  );
}
