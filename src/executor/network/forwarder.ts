import { PROXY_PORT } from "./proxy-environment.ts";

/** Where the socket of the proxy is in a sandbox. */
export const SOCKET_INSIDE = "/run/millrace/network.sock";

/** What the forwarder is made of: how each program is started in the sandbox. */
interface Programs {
  socat: readonly string[];
  shell?: readonly string[];
}

/** How often it is looked whether the forwarder listens: for a second or more, which is far longer than it takes. */
const MAX_LOOKS = 30_000;

/** In /proc/net/tcp (proc_net(5)): 127.0.0.1 and the port, and the state of a socket that listens. */
const LISTENING = `0100007F:${PROXY_PORT.toString(16).toUpperCase().padStart(4, "0")} 0A`;

/**
 * Shell that stands before a program in a network of its own. It starts what passes connections from the loopback interface
 * on to the socket of the proxy, and lets the program start when that listens. It is no child of the program, which may wait for all
 * that it has.
 */
export function behindForwarder({ socat, shell = ["/bin/sh"] }: Programs): readonly string[] {
  return [...shell, "-c", SCRIPT, "sh", socat.join("\n")];
}

const SCRIPT = `socat=$1; shift
(IFS='
'; set -f
$socat -b 65536 TCP-LISTEN:${PROXY_PORT},bind=127.0.0.1,fork,reuseaddr,backlog=256,nodelay \\
  UNIX-CONNECT:${SOCKET_INSIDE} </dev/null >/dev/null 2>&1 &)
listens() {
  while read -r _ address _ state _; do
    [ "$address $state" = "${LISTENING}" ] && return 0
  done </proc/net/tcp
  return 1
}
looks=0
until listens; do
  looks=$((looks + 1))
  if [ "$looks" -gt ${MAX_LOOKS} ]; then
    echo "The connection to the network proxy could not be opened." >&2
    exit 1
  fi
done
exec "$@"`;
