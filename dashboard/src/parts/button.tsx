import { type ReactNode, useRef } from "react";
import { Button as AriaButton, type ButtonProps as AriaButtonProps } from "react-aria-components";
import { Link, useLocation } from "wouter";
import styles from "./button.module.css";
import { useIsPageAction, usePageAction } from "./page-actions.ts";

export interface ButtonProps extends AriaButtonProps {
  /** The one main thing of a page, an ordinary one, one that only shows on approach, or one that destroys. */
  kind?: "main" | "plain" | "quiet" | "danger";
  isSmall?: boolean;
}

/** A button. While `isPending`, it cannot be pressed again, and says so. */
export function Button({ kind = "plain", isSmall = false, isPending = false, ...props }: ButtonProps) {
  const classes = [styles.button, styles[kind], isSmall ? styles.small : ""];
  const { children, isDisabled = false } = props;
  const isOffered = useIsPageAction() && typeof children === "string" && !isPending && !isDisabled;
  const button = useRef<HTMLButtonElement>(null);
  usePageAction(isOffered ? (children as string) : undefined, () => button.current?.click());
  // The library's own way announces a progress bar, and leaves an image without a name where there is none.
  const pending = { "aria-disabled": true, "data-pending": true, onPress: () => {} };
  return <AriaButton ref={button} {...props} {...(isPending ? pending : {})} className={classes.join(" ")} />;
}

/** What looks like a button and leads to another page. */
export function ButtonLink({
  kind = "plain",
  href,
  children,
}: Pick<ButtonProps, "kind"> & { href: string; children: ReactNode }) {
  const [, navigate] = useLocation();
  const isOffered = useIsPageAction() && typeof children === "string";
  usePageAction(isOffered ? (children as string) : undefined, () => navigate(href));
  return (
    <Link href={href} className={[styles.button, styles[kind], styles.link].join(" ")}>
      {children}
    </Link>
  );
}
