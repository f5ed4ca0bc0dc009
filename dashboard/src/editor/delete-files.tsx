import { useQuery } from "@tanstack/react-query";
import { type ReactNode, useState } from "react";
import { useLocation } from "wouter";
import { type Models, millrace } from "../api/client.ts";
import { filesQuery } from "../api/file-queries.ts";
import { refreshDefinitions } from "../live/follow-changes.ts";
import { announce } from "../parts/announcer.tsx";
import { Button } from "../parts/button.tsx";
import { Changes } from "../parts/changes.tsx";
import { ConfirmDialog } from "../parts/forms/confirm-dialog.tsx";
import { Loaded } from "../parts/tables/loaded.tsx";
import styles from "./findings.module.css";

interface DeleteFilesProps {
  factory: Models["Factory"];
  /** What people call it: the automation fix-build. */
  what: string;
  /** Has to be typed. */
  name: string;
  /** Which of the files of the definition go. */
  isPart: (path: string) => boolean;
  /** Where it leads to. */
  leaveTo: string;
  /** What else it means. */
  consequences?: (plan: Models["Plan"]) => ReactNode;
}

/** Deletes files of a definition together, after the server has said what that means. */
export function DeleteFiles(props: DeleteFilesProps) {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <Button kind="danger" onPress={() => setOpen(true)}>
        Delete
      </Button>
      {isOpen && <Confirm {...props} onClose={() => setOpen(false)} />}
    </>
  );
}

function Confirm(props: DeleteFilesProps & { onClose: () => void }) {
  const { factory, what, name, isPart, leaveTo, consequences, onClose } = props;
  const [, navigate] = useLocation();
  const { data: files = [] } = useQuery(filesQuery(factory.name));
  const going = files.filter(({ path }) => isPart(path));
  const plan = useQuery({
    queryKey: ["check", factory.name, "without", going.map(({ etag }) => etag)],
    queryFn: () =>
      millrace.factories.plan(factory.name, { changes: going.map(({ path }) => ({ path, content: null })) }),
    enabled: going.length > 0,
    gcTime: 0,
  });
  const confirm = async () => {
    const changes = going.map(({ path, etag }) => ({ path, etag, content: null }));
    // Who types its name has said what is to go.
    const named = { message: `Delete ${what}`, allow_deletes: true };
    await millrace.factories.changeFiles(factory.name, { files: changes, ...named });
    await refreshDefinitions();
    announce(`Deleted ${what}.`);
    navigate(leaveTo);
  };
  return (
    <ConfirmDialog
      title={`Delete ${what}?`}
      action="Delete"
      typed={name}
      isOpen
      onClose={onClose}
      onConfirm={confirm}
    >
      <div className={styles.findings}>
        <Loaded query={plan}>
          {(found) => (
            <>
              {consequences?.(found)}
              {found.applicable ? (
                <Changes changes={found.changes.filter(({ action }) => action !== "unchanged")} />
              ) : (
                <p>
                  The definition is not valid without it, so the server will reject the deletion:{" "}
                  {found.problems.find(({ severity }) => severity === "error")?.message}.
                </p>
              )}
            </>
          )}
        </Loaded>
        <p className={styles.muted}>
          The file remains in the definition's history. To restore it, roll back to an earlier revision under
          Revisions.
        </p>
      </div>
    </ConfirmDialog>
  );
}
