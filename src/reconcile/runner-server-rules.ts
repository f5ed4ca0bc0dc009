import type { ServerRule } from "./check-server.ts";

/** Only containers are made of an image and have a size. Elsewhere a runner's wishes would be dropped in silence. */
export const runnersFitTheSandbox: ServerRule = ({ definition, state, problem }) => {
  if (state.sandbox === "container") return [];
  return definition.runners.flatMap(({ path, dockerImage, instanceShape }) => {
    const ignored = [
      ...(dockerImage === undefined
        ? []
        : [{ what: "dockerImage", at: ["platform", "linux", "dockerImage"] }]),
      ...(instanceShape === undefined ? [] : [{ what: "instanceShape", at: ["instanceShape"] }]),
    ];
    return ignored.map(({ what, at }) => {
      const message =
        `${what}: is ignored by this server, whose sandbox is ${state.sandbox}; ` +
        "MILLRACE_SANDBOX=container runs agents in containers of that image and size";
      return problem(path, at, "FF_RUNNER_IGNORED", message, "warning");
    });
  });
};
