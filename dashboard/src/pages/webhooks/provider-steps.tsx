import { providerOf } from "./providers.ts";
import styles from "./webhook.module.css";

/** Where a provider takes the URL and shows or takes the secret, with its own page about it. */
export function ProviderSteps({ scheme }: { scheme: string }) {
  const { label, setUp, docs } = providerOf(scheme);
  return (
    <p className={styles.hint}>
      {setUp}{" "}
      {docs && (
        <a href={docs} target="_blank" rel="noreferrer">
          {label} webhook documentation
        </a>
      )}
    </p>
  );
}
