import { type FormEvent, useEffect, useState } from "react";
import { queryClient, WHOAMI } from "../../api/query-client.ts";
import { signIn } from "../../api/session.ts";
import { Button } from "../../parts/button.tsx";
import { Field } from "../../parts/forms/field.tsx";
import { Mark } from "../../parts/mark.tsx";
import { ProblemNotice } from "../../parts/problem-notice.tsx";
import styles from "./sign-in.module.css";

/** The way in: with an API key. Anyone who was here before stays at the address where they were. */
export function SignIn({ hasEnded }: { hasEnded: boolean }) {
  const [key, setKey] = useState("");
  const [error, setError] = useState<unknown>();
  const [isPending, setPending] = useState(false);
  useEffect(() => {
    document.title = "Sign in · millrace";
  }, []);
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    setPending(true);
    setError(undefined);
    try {
      await signIn(key.trim());
      // Anyone who was here before may have seen more.
      queryClient.removeQueries({ predicate: ({ queryKey }) => queryKey[0] !== WHOAMI[0] });
      await queryClient.invalidateQueries({ queryKey: WHOAMI });
    } catch (thrown) {
      setError(thrown);
      setPending(false);
    }
  };
  return (
    <main className={styles.page}>
      <form className={styles.form} onSubmit={submit}>
        <div>
          <Mark size={32} />
          <h1>Sign in to millrace</h1>
          <p className={styles.lead}>
            {hasEnded
              ? "Your session has ended. Sign in again to continue where you left off."
              : "Use an API key."}
          </p>
        </div>
        <Field
          label="API key"
          type="password"
          isMono
          isRequired
          autoFocus
          autoComplete="current-password"
          value={key}
          onChange={setKey}
          hint="The server printed one when it first started. An admin can create more."
        />
        {error !== undefined && <ProblemNotice error={error} />}
        <Button kind="main" type="submit" isPending={isPending} isDisabled={key.trim() === ""}>
          Sign in
        </Button>
        <p className={styles.lost}>
          Lost the admin key? On the server's machine, run:{" "}
          <code>millrace keys create --local --name admin --role admin</code>. Add{" "}
          <code>--data-dir FOLDER</code> if the server has another data folder. A quick start prints its key
          and its data folder at each start.
        </p>
      </form>
    </main>
  );
}
