import type { Task } from "../../api/models.ts";
import { OutsideLink } from "../text/outside-link.tsx";

/** Where the server has made an id for a task without a ticket, which tells a person nothing. */
const AD_HOC = "adhoc";

/** Whether someone has named a ticket for a task. */
export function hasTicket({ ticket_id, ticket_source, ticket_url }: Task): boolean {
  return ticket_url !== undefined || (ticket_id !== undefined && ticket_source !== AD_HOC);
}

/** The ticket that a task is about, as a link where its address is known; nothing for a task without one. */
export function TicketName({ task }: { task: Task }) {
  const { ticket_id, ticket_source, ticket_url } = task;
  if (!hasTicket(task)) return null;
  if (ticket_source === AD_HOC) return <OutsideLink href={ticket_url}>Ticket</OutsideLink>;
  return (
    <span>
      Ticket <OutsideLink href={ticket_url}>{ticket_id ?? ticket_url}</OutsideLink>
    </span>
  );
}
