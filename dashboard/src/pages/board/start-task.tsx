import { useState } from "react";
import { millrace } from "../../api/client.ts";
import type { Models } from "../../api/models.ts";
import { queryClient } from "../../api/query-client.ts";
import { announce } from "../../parts/announcer.tsx";
import { Field } from "../../parts/forms/field.tsx";
import { FormDialog } from "../../parts/forms/form-dialog.tsx";
import type { Once } from "../../parts/use-action.ts";

/** Gives the foreman of a factory something to do, which makes a task. */
export function StartTask({ factory, onClose }: { factory: Models["Factory"]; onClose: () => void }) {
  const [prompt, setPrompt] = useState("");
  const [title, setTitle] = useState("");
  const [ticket, setTicket] = useState("");
  const start = (once: Once) =>
    millrace.factories.dispatch(
      factory.uid,
      {
        prompt,
        ...(title.trim() === "" ? {} : { title }),
        ...(ticket.trim() === "" ? {} : { ticket_url: ticket.trim() }),
      },
      once,
    );
  const started = async () => {
    await queryClient.invalidateQueries({ queryKey: ["tasks"] });
    announce("Started a task.");
    onClose();
  };
  return (
    <FormDialog
      title="Start task"
      action="Start task"
      isComplete={prompt.trim() !== ""}
      onSend={start}
      onSent={() => void started()}
      onClose={onClose}
    >
      <Field
        label="Prompt"
        rows={6}
        autoFocus
        value={prompt}
        onChange={setPrompt}
        hint={`Instructions for the foreman of ${factory.name}, who can hand out work to its agents.`}
      />
      <Field
        label="Title (optional)"
        value={title}
        onChange={setTitle}
        hint="Defaults to the beginning of the prompt."
      />
      <Field
        label="Address of the ticket (optional)"
        type="url"
        value={ticket}
        onChange={setTicket}
        hint="The issue or ticket that the task is about."
      />
    </FormDialog>
  );
}
