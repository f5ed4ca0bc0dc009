import { useState } from "react";
import type { Session } from "../../editor/editing.tsx";
import { FileEditor } from "../../editor/file-editor.tsx";
import { Section } from "../../parts/page.tsx";
import { Switcher } from "../../parts/switcher.tsx";
import { AutomationForm } from "./automation-form.tsx";

const VIEWS = [
  { value: "form", label: "Form" },
  { value: "text", label: "Text" },
];

/** Two views of one document: what is changed in the one is there in the other. */
export function AutomationViews({ session }: { session: Session }) {
  const path = session.drafts.files[0]?.path ?? "";
  const [view, setView] = useState("form");
  // Going to a problem leads to its line.
  const shown = session.target ? "text" : view;
  if (shown !== view) setView(shown);
  return (
    <>
      <Switcher label="Show as" value={shown} onChange={setView} options={VIEWS} />
      {shown === "text" ? (
        <Section title="Text">
          <FileEditor session={session} path={path} />
        </Section>
      ) : (
        <AutomationForm session={session} path={path} />
      )}
    </>
  );
}
