"use strict";
// Programs that some tests talk to. What is missing is installed with apt where that is possible, and said either way.
const { spawnSync } = require("child_process");
const { findPostgresPrograms, postgresVersion } = require("./postgres-programs.cjs");
const { run, say, fail } = require("./setup.cjs");

/** A program, the Debian package it comes with, and the tests that need it. */
const TOOLS = [
  {
    program: "strace",
    aptPackage: "strace",
    needed: "to check that a delivery is on disk before it is acknowledged",
  },
  {
    program: "sshd",
    aptPackage: "openssh-server",
    needed: "to read a repository over ssh with a deploy key",
  },
  { program: "zsh", aptPackage: "zsh", needed: "to check the zsh completion script" },
  { program: "fish", aptPackage: "fish", needed: "to check the fish completion script" },
  { program: "chromium", aptPackage: "chromium", needed: "to test the dashboard in a browser" },
  { program: "bwrap", aptPackage: "bubblewrap", needed: "to isolate agents that misbehave" },
  { program: "socat", aptPackage: "socat", needed: "to limit what agents reach over the network" },
  { program: "curl", aptPackage: "curl", needed: "to try to get around these limits" },
  {
    program: "openssl",
    aptPackage: "openssl",
    needed: "to compare how servers read the start of a TLS connection",
  },
  { program: "go", aptPackage: "golang-go", needed: "to compare that with a server made with Go" },
];

/** What the proof divides a machine into several with. Stories run a short form of it. */
const NAMESPACE_TOOLS = [
  { program: "newuidmap", aptPackage: "uidmap", needed: "to give runs users of their own" },
  {
    program: "unshare",
    aptPackage: "util-linux",
    needed: "to give each node of the proof its own processes",
  },
  { program: "ip", aptPackage: "iproute2", needed: "to give each node of the proof its own network" },
];

/** What `npm run test:containers` needs beside them. */
const CONTAINER_TOOLS = [
  { program: "podman", aptPackage: "podman", needed: "to create containers" },
  { program: "runc", aptPackage: "runc", needed: "to run containers" },
  { program: "busybox", aptPackage: "busybox-static", needed: "to build an image from" },
];

/** What `npm run test:container` needs where there is no docker. */
const IMAGE_TOOLS = [
  { program: "podman", aptPackage: "podman", needed: "to build the image" },
  { program: "runc", aptPackage: "runc", needed: "to run the image" },
  {
    program: "podman-compose",
    aptPackage: "podman-compose",
    needed: "to start the image with deploy/compose.yaml",
  },
  {
    program: "debootstrap",
    aptPackage: "debootstrap",
    needed: "to create the base image if it cannot be pulled",
  },
];

/** What `npm run test:deploy` holds the files of deploy/ against. */
const DEPLOY_TOOLS = [
  { program: "nginx", aptPackage: "nginx-light", needed: "to test it as a proxy" },
  { program: "caddy", aptPackage: "caddy", needed: "to test it as a proxy" },
  { program: "openssl", aptPackage: "openssl", needed: "to create a certificate for the proxies" },
  { program: "promtool", aptPackage: "prometheus", needed: "to check the alert rules" },
];

/** PostgreSQL itself. On most platforms, a package of npm has it. */
const POSTGRES = {
  program: "postgres",
  aptPackage: "postgresql",
  needed: "to test the store with PostgreSQL",
  find: findPostgresPrograms,
};

/** What `npm run test:postgres` needs besides PostgreSQL. */
const POSTGRES_TOOLS = [
  { program: "pgbouncer", aptPackage: "pgbouncer", needed: "to test it before PostgreSQL" },
];

/** What `npm run test:machine` makes its machine of. */
const MACHINE_TOOLS = [
  { program: "qemu-system-x86_64", aptPackage: "qemu-system-x86", needed: "to run a virtual machine" },
  { program: "mmdebstrap", aptPackage: "mmdebstrap", needed: "to install Debian in the virtual machine" },
  { program: "mkfs.ext4", aptPackage: "e2fsprogs", needed: "to create the disks of the virtual machine" },
];

/** Where Debian keeps programs of the system that a user's PATH may leave out. */
const PATH = [process.env.PATH, "/usr/sbin", "/sbin"].join(":");

function installTestTools() {
  installTools(TOOLS.concat(NAMESPACE_TOOLS));
}

/** Says which PostgreSQL the tests start, and installs one if there is none. */
function installPostgres() {
  installTools([POSTGRES]);
  const folder = findPostgresPrograms();
  say("Tests with a database server use " + postgresVersion(folder) + " in " + folder + ".");
}

function installTools(tools) {
  const missing = tools.filter((tool) => !(tool.find ? tool.find() : isInstalled(tool.program)));
  if (missing.length === 0) return;
  const packages = missing.map((tool) => tool.aptPackage);
  const why = missing.map((tool) => "  " + tool.program + ": " + tool.needed).join("\n");
  if (!isInstalled("apt-get") || process.getuid() !== 0) {
    fail(
      "The tests require programs that are not installed:\n" + why,
      "Install them, for example: sudo apt-get install " + packages.join(" "),
    );
  }
  say("Installing programs that the tests require:\n" + why);
  const env = Object.assign({}, process.env, {
    DEBIAN_FRONTEND: "noninteractive",
    // The ssh server is for the tests to start on a port of their own, not for the system to start now.
    RUNLEVEL: "1",
  });
  run("apt-get", ["update", "-qq"], { env });
  run("apt-get", ["install", "-y", "-qq", "--no-install-recommends"].concat(packages), { env });
}

function isInstalled(program) {
  return (
    spawnSync("sh", ["-c", 'command -v "$1"', "sh", program], { env: { PATH }, stdio: "ignore" }).status === 0
  );
}

module.exports = {
  installTestTools,
  installPostgres,
  installTools,
  NAMESPACE_TOOLS,
  CONTAINER_TOOLS,
  IMAGE_TOOLS,
  DEPLOY_TOOLS,
  POSTGRES_TOOLS,
  MACHINE_TOOLS,
};
