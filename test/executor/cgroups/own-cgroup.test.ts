import { describe, expect, test } from "vitest";
import { cgroupOf, findDivisible } from "../../../src/executor/cgroups/own-cgroup.ts";
import { divideOwnCgroup } from "../../../src/executor/sandbox/with-cgroups.ts";
import { folderWith } from "../../given/folder.ts";

const mounted = (root: string, at: string, kind = "cgroup2") =>
  `25 24 0:22 / /proc rw - proc proc rw\n30 24 0:26 ${root} ${at} rw,nosuid shared:9 - ${kind} cgroup rw,nsdelegate\n`;

describe("the cgroup of a process of version 2", () => {
  test.each([
    [
      "of a service",
      mounted("/", "/sys/fs/cgroup"),
      "0::/system.slice/m.service\n",
      "/sys/fs/cgroup/system.slice/m.service",
    ],
    [
      "beside version 1",
      mounted("/", "/sys/fs/cgroup/unified"),
      "4:memory:/x\n0::/a\n",
      "/sys/fs/cgroup/unified/a",
    ],
    [
      "of a container, of which its mount shows no more",
      mounted("/docker/1", "/cg"),
      "0::/docker/1/a\n",
      "/cg/a",
    ],
    ["in a folder with a space", mounted("/", "/sys/c\\040g"), "0::/a\n", "/sys/c g/a"],
    ["that no mount shows", mounted("/docker/2", "/cg"), "0::/docker/1\n", undefined],
    ["of a machine that has version 1 only", mounted("/", "/cg", "cgroup"), "4:memory:/x\n", undefined],
    ["of a machine without any", "", "", undefined],
  ])("%s is found where it is", (_, mounts, groups, folder) => {
    expect(cgroupOf(mounts, groups)).toBe(folder);
  });
});

describe("a cgroup is not divided", () => {
  const CONTROL = { "cgroup.subtree_control": "", "cgroup.controllers": "cpuset cpu io memory pids\n" };

  test("when memory is not limited in it", () => {
    const folder = folderWith({ ...CONTROL, "cgroup.controllers": "hugetlb\n", "cgroup.procs": "" });
    expect(findDivisible(folder)).toEqual({ reason: expect.stringContaining("no memory controller") });
  });

  test("when its files belong to someone else, or are not there", () => {
    const folder = folderWith({ "cgroup.controllers": "memory\n" });
    expect(findDivisible(folder)).toEqual({ reason: expect.stringContaining("Delegate=yes") });
  });

  test("when it has processes that millrace has not started", () => {
    const folder = folderWith({ ...CONTROL, "cgroup.procs": `${process.pid}\n${process.ppid}\n` });
    expect(findDivisible(folder)).toEqual({ reason: expect.stringContaining("not part of millrace") });
  });

  test("when it is the one of these tests, which the runner of the tests is in too", () => {
    expect(divideOwnCgroup()).toEqual({ reason: expect.any(String) });
  });
});

test("a cgroup with this process alone is divided, as far as it has controllers", () => {
  const files = { "cgroup.subtree_control": "", "cgroup.controllers": "io memory pids\n" };
  const folder = folderWith({ ...files, "cgroup.procs": `${process.pid}\n` });
  expect(findDivisible(folder)).toEqual({ folder, controllers: ["memory", "pids"] });
});

test("a process in the own part of a divided cgroup divides the whole one again", () => {
  const files = {
    "cgroup.subtree_control": "memory\n",
    "cgroup.controllers": "memory\n",
    "cgroup.procs": "",
  };
  const folder = folderWith({ ...files, "main/cgroup.procs": `${process.pid}\n1\n` });
  expect(findDivisible(`${folder}/main`)).toEqual({ folder, controllers: ["memory"] });
});
