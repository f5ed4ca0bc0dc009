import { useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { type Answer, type Tagged, tagged } from "../../api/tagged.ts";
import { Loaded } from "../tables/loaded.tsx";

interface EditedProps<Item extends object> {
  /** Nothing for a new one. */
  id: string | undefined;
  /** Asks for it by its id. */
  read: (id: string) => Answer<Item>;
  /** The form. */
  children: (item: Tagged<Item> | undefined) => ReactNode;
}

/** What a form changes, as it is when the form is opened: with the tag by which the server refuses to undo what came between. */
export function Edited<Item extends object>({ id, read, children }: EditedProps<Item>) {
  if (id === undefined) return children(undefined);
  return (
    <Stored id={id} read={read}>
      {children}
    </Stored>
  );
}

function Stored<Item extends object>({ id, read, children }: EditedProps<Item> & { id: string }) {
  const query = useQuery({
    queryKey: ["edited", id],
    queryFn: () => tagged(read(id)),
    // What somebody writes is not changed under their hands.
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
  });
  return (
    <Loaded query={query} rows={1}>
      {children}
    </Loaded>
  );
}
