import { MillraceError } from "../../errors/error.ts";

/**
 * Names that programs of the C library obey before their first line runs, some by loading code: glibc's own list of what
 * it drops for programs that have more rights than their caller (sysdeps/generic/unsecvars.h). A sandbox is made by such
 * a program, outside of itself.
 */
const LOADER =
  /^(LD_.*|GCONV_PATH|GETCONF_DIR|GLIBC_TUNABLES|HOSTALIASES|LOCALDOMAIN|LOCPATH|MALLOC_.*|NIS_PATH|NLSPATH|RESOLV_HOST_CONF|RES_OPTIONS|TMPDIR|TZDIR)$/;

/** Names by which a shell runs what their values say before its first line; one stands before each program. */
export const SHELL = /^(SHELLOPTS|BASHOPTS|BASH_ENV|BASH_FUNC_.*|PS4)$/;

/** Names that tell a container engine's command where its engine is and how to reach it. */
export const ENGINE =
  /^(DOCKER_.*|CONTAINERS?_.*|PODMAN_.*|BUILDAH_.*|STORAGE_.*|REGISTRY_.*|XDG_.*|DBUS_.*|NOTIFY_SOCKET|LISTEN_.*|GODEBUG|GOTRACEBACK|SSL_CERT_.*|(HTTPS?|NO|ALL)_PROXY|(https?|no|all)_proxy)$/;

/**
 * Refuses an environment that would steer the program that makes the sandbox. Only secrets are named by definitions, so
 * it is one of these.
 * @throws MillraceError `environment_setup_failed`
 */
export function refuseSteering(names: readonly string[], also?: RegExp): void {
  const found = names.filter((name) => LOADER.test(name) || also?.test(name));
  if (found.length === 0) return;
  throw new MillraceError(
    "environment_setup_failed",
    `The run is granted ${found.join(", ")}, but an environment variable with such a name would control the program that creates the sandbox`,
    { remedy: "Store the value under a different name, and set the variable in the agent's program." },
  );
}
