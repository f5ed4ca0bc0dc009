import { useMutation } from "@tanstack/react-query";
import { type Models, millrace } from "../../api/client.ts";
import { Button } from "../../parts/button.tsx";
import { Section } from "../../parts/page.tsx";
import { ProblemNotice } from "../../parts/problem-notice.tsx";
import { PlanResult } from "./plan-result.tsx";
import styles from "./revisions.module.css";

/** What the source holds now would change, without changing it. */
export function NextPlan({ factory }: { factory: Models["Factory"] }) {
  const plan = useMutation({ mutationFn: () => millrace.factories.plan(factory.name, {}) });
  return (
    <Section
      title="Plan"
      aside={
        <Button isSmall onPress={() => plan.mutate()} isPending={plan.isPending}>
          Plan the current source
        </Button>
      }
    >
      <div className={styles.sync} role="status">
        {plan.error && <ProblemNotice error={plan.error} />}
        {plan.data ? (
          <PlanResult plan={plan.data} factory={factory} />
        ) : (
          !plan.error && (
            <p className={styles.by}>
              Shows what would change, and which stored deliveries would start different runs. Nothing is
              applied.
            </p>
          )
        )}
      </div>
    </Section>
  );
}
