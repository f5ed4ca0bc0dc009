import type { QueryKey } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { queryClient } from "../../api/query-client.ts";
import { announce } from "../announcer.tsx";
import { FormDialog } from "./form-dialog.tsx";

interface ResourceFormProps {
  title: string;
  name: string;
  /** Whether what it needs besides the name is there. */
  isComplete?: boolean;
  /** Creates it, or replaces it. */
  save: () => Promise<void>;
  /** Of the list that it is in. */
  listKey: QueryKey;
  onClose: () => void;
  /** The fields. */
  children: ReactNode;
}

/** A form for something with a name that is created or changed as a whole. */
export function ResourceForm({ name, isComplete = true, save, listKey, ...props }: ResourceFormProps) {
  const send = async () => {
    await save();
    await queryClient.invalidateQueries({ queryKey: listKey });
    announce(`Saved ${name}.`);
  };
  return <FormDialog action="Save" isComplete={name.trim() !== "" && isComplete} onSend={send} {...props} />;
}
