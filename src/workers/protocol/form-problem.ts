import { describeViolation } from "../../definitions/loading/explain-violation.ts";
import { schemaChecker } from "../../definitions/loading/validate.ts";

type Compile = ReturnType<typeof schemaChecker>;

let compile: Compile | undefined;
const compiled = new WeakMap<object, ReturnType<Compile>>();

/**
 * What is wrong with the form of something that came over the network, in words; nothing where it fits its JSON schema. A schema
 * is compiled when it is first asked for: a server without workers starts without that.
 */
export function formProblem(schema: object, value: unknown): string | undefined {
  compile ??= schemaChecker({});
  const check = compiled.get(schema) ?? compile(schema);
  compiled.set(schema, check);
  const [violation] = check(value);
  return violation && describeViolation(violation);
}
