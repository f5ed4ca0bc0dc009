import type { Models } from "../api/models.ts";
import { counted } from "./counted.ts";
import { Fact } from "./facts.tsx";
import { costText } from "./runs/cost-text.ts";
import { RelativeTime } from "./time/relative-time.tsx";

/** What is used of a budget, and what it allows each run. */
export function BudgetFact({ budget }: { budget: Models["Budget"] }) {
  const { usdPerRun, usdPerDay, tokensPerRun, runsPerDay, used, onExhausted, opens_at: opensAt } = budget;
  return (
    <Fact name="Budget, 24 hours">
      {usdPerDay !== undefined && (
        <div>
          {costText(used.usdPerDay)} of {costText(usdPerDay)}
        </div>
      )}
      {runsPerDay !== undefined && (
        <div>
          {used.runsPerDay} of {counted(runsPerDay, "run")}
        </div>
      )}
      {usdPerRun !== undefined && <div>{costText(usdPerRun)} for each run</div>}
      {tokensPerRun !== undefined && <div>{counted(tokensPerRun, "token")} for each run</div>}
      {opensAt !== null && (
        <div>
          Used up: further runs {onExhausted === "wait" ? "wait" : "are skipped"} until{" "}
          <RelativeTime at={opensAt} />
        </div>
      )}
    </Fact>
  );
}
