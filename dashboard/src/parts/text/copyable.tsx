import { Check, Copy } from "lucide-react";
import { useState } from "react";
import { Button } from "react-aria-components";
import { announce } from "../announcer.tsx";
import styles from "./copyable.module.css";

const SHOWN_MS = 1_500;

/** Copies a text when it is pressed, and says so. */
export function CopyButton({ text, what }: { text: string; what: string }) {
  const [isCopied, setCopied] = useState(false);
  const copy = async () => {
    const done = await copyText(text);
    announce(done ? `Copied ${what}.` : `The browser did not allow copying ${what}.`);
    if (!done) return;
    setCopied(true);
    setTimeout(() => setCopied(false), SHOWN_MS);
  };
  return (
    <Button className={styles.copy ?? ""} onPress={copy} aria-label={`Copy ${what}`}>
      {isCopied ? <Check size={14} aria-hidden /> : <Copy size={14} aria-hidden />}
    </Button>
  );
}

/** An id, a revision, a URL or a command in one width, with what copies it. */
export function Copyable({ text, what, short }: { text: string; what: string; short?: string }) {
  return (
    <span className={styles.copyable}>
      <code title={short === undefined ? undefined : text}>{short ?? text}</code>
      <CopyButton text={text} what={what} />
    </span>
  );
}

/** A command or a value on lines of its own. */
export function CopyBlock({ text, what }: { text: string; what: string }) {
  return (
    <div className={styles.block}>
      <pre>{text}</pre>
      <CopyButton text={text} what={what} />
    </div>
  );
}

/** Browsers have the clipboard only over https and on loopback; elsewhere a selection has to do. */
async function copyText(text: string): Promise<boolean> {
  try {
    if (navigator.clipboard) {
      await navigator.clipboard.writeText(text);
      return true;
    }
    const field = document.createElement("textarea");
    field.value = text;
    field.className = "visually-hidden";
    document.body.append(field);
    field.select();
    const done = document.execCommand("copy");
    field.remove();
    return done;
  } catch {
    return false;
  }
}
