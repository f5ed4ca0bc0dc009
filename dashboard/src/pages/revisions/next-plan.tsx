import { useMutation } from "@tanstack/react-query";
import { type Models, millrace } from "../../api/client.ts";
import { Button } from "../../parts/button.tsx";
import { Changes } from "../../parts/changes.tsx";
import { Chip } from "../../parts/chip.tsx";
import { Section } from "../../parts/page.tsx";
import { ProblemList } from "../../parts/problem-list.tsx";
import { ProblemNotice } from "../../parts/problem-notice.tsx";
import { countText } from "./revision-item.tsx";
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

function PlanResult({ plan, factory }: { plan: Models["Plan"]; factory: Models["Factory"] }) {
  const { applicable, changes, warnings, problems, revision, traffic } = plan;
  const changing = changes.filter(({ action }) => action !== "unchanged");
  const shifts = traffic?.automations.filter(({ before, after }) => before !== after) ?? [];
  const warned = warnings.map(({ blocking, ...warning }) => ({
    ...warning,
    severity: blocking ? ("error" as const) : ("warning" as const),
  }));
  return (
    <>
      <p>
        <Chip tone={applicable ? "green" : "red"}>{applicable ? "Can be applied" : "Cannot be applied"}</Chip>{" "}
        {countText(changing) || "Nothing would change."}
      </p>
      {changing.length > 0 && <Changes changes={changing} />}
      {problems.length + warned.length > 0 && (
        <ProblemList problems={[...problems, ...warned]} factory={factory} revision={revision} />
      )}
      {shifts.map(({ name, before, after }) => (
        <p key={name}>
          In a replay of {traffic?.deliveries} stored deliveries, {name} starts {after} runs instead of{" "}
          {before}.
        </p>
      ))}
    </>
  );
}
