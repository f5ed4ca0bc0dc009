import type { ReactNode } from "react";
import { Button } from "../button.tsx";
import { ActionCell } from "../tables/cells.tsx";

interface EditDeleteProps {
  name: string;
  onEdit: () => void;
  onDelete: () => void;
  /** What else can be done, first. */
  children?: ReactNode;
}

/** What can be done with most things of a list. */
export function EditDelete({ name, onEdit, onDelete, children }: EditDeleteProps) {
  return (
    <ActionCell>
      {children}
      <Button isSmall onPress={onEdit} aria-label={`Edit ${name}`}>
        Edit
      </Button>
      <Button isSmall kind="danger" onPress={onDelete} aria-label={`Delete ${name}`}>
        Delete
      </Button>
    </ActionCell>
  );
}
