import { type ReactNode, useState } from "react";
import { useLocation } from "wouter";
import { type Models, millrace, PreconditionFailedError } from "../api/client.ts";
import { refreshDefinitions } from "../live/follow-changes.ts";
import { announce } from "../parts/announcer.tsx";
import { Button } from "../parts/button.tsx";
import { Chip } from "../parts/chip.tsx";
import { Page } from "../parts/page.tsx";
import { ProblemNotice } from "../parts/problem-notice.tsx";
import { useAction } from "../parts/use-action.ts";
import { useNarrow } from "../parts/use-narrow.ts";
import { Conflicts } from "./conflict.tsx";
import { type Draft, type Drafts, useDrafts } from "./drafts.ts";
import styles from "./editing.module.css";
import { Findings } from "./findings.tsx";
import { NameField, type Naming, nameProblem } from "./name-field.tsx";
import { KeysHint } from "./text-editor.tsx";
import { type Check, type Finding, useCheck } from "./use-check.ts";
import { type Suggest, useSuggestions } from "./use-suggestions.ts";

/** What the parts of an editing page share. */
export interface Session {
  factory: Models["Factory"];
  drafts: Drafts;
  check: Check;
  save: () => void;
  suggestFor: (path: string) => Suggest;
  /** Where someone wants to go. */
  target: Finding | undefined;
  arrived: () => void;
}

interface EditingProps {
  title: string;
  lead: ReactNode;
  factory: Models["Factory"];
  /** By which what is being written is found again. */
  draftKey: string;
  given: readonly Draft[];
  /** How something new is named. */
  naming?: Naming;
  /** Where Cancel leads to. */
  leaveTo: string;
  /** Where saving leads to, of something new by its name. */
  savedTo: (name: string) => string;
  /** What takes it away. */
  destructive?: ReactNode;
  children: (session: Session) => ReactNode;
}

/** A page on which files of a definition are written: checked as they are written, and saved together or not at all. */
export function Editing(props: EditingProps) {
  const { title, lead, factory, draftKey, given, naming, leaveTo, savedTo, destructive, children } = props;
  const isNarrow = useNarrow();
  const [, navigate] = useLocation();
  const drafts = useDrafts(draftKey, given);
  const check = useCheck(factory.name, drafts.files);
  const suggestFor = useSuggestions(factory);
  const [target, setTarget] = useState<Finding>();
  const saving = useAction({
    send: () => millrace.factories.changeFiles(factory.name, { files: drafts.files.map(changeOf) }),
    onDone: () => {
      drafts.discard();
      announce(`Saved ${drafts.files.map(({ path }) => path).join(", ")} and applied the definition.`);
      navigate(savedTo(drafts.name));
    },
    onSettled: refreshDefinitions,
  });
  const isNew = given.some(({ etag }) => etag === undefined);
  const missing = naming && nameProblem(drafts.name);
  const canSave = (drafts.isChanged || isNew) && missing === undefined;
  const save = () => {
    if (canSave) saving.run();
  };
  const leave = () => {
    drafts.discard();
    navigate(leaveTo);
  };
  const isConflict = saving.error instanceof PreconditionFailedError;
  return (
    <Page
      title={title}
      lead={lead}
      mark={drafts.isChanged && <Chip tone="amber">Not saved</Chip>}
      {...(destructive && !isNarrow ? { destructive } : {})}
    >
      {!saving.isPending && <Conflicts factory={factory.name} drafts={drafts} />}
      {naming && <NameField naming={naming} name={drafts.name} onChange={drafts.rename} />}
      {children({
        factory,
        drafts,
        check,
        save,
        suggestFor,
        target,
        arrived: () => setTarget(undefined),
      })}
      <KeysHint />
      <Findings check={check} paths={drafts.files.map(({ path }) => path)} onGoTo={setTarget} />
      {saving.error && !isConflict && <ProblemNotice error={saving.error} />}
      <div className={styles.bar}>
        {!canSave && <span className={styles.told}>{missing ?? "No changes yet."}</span>}
        <Button onPress={leave} isDisabled={saving.isPending}>
          {drafts.isChanged ? "Discard" : "Cancel"}
        </Button>
        <Button kind="main" onPress={save} isPending={saving.isPending} isDisabled={!canSave}>
          Save
        </Button>
      </div>
      {isNarrow && destructive && <div>{destructive}</div>}
    </Page>
  );
}

function changeOf({ path, content, etag }: Draft): Models["FileChange"] {
  return { path, content, ...(etag === undefined ? {} : { etag }) };
}
