import { describe, expect, test } from "vitest";
import { FACTORY, problemsOf } from "../given/definition.ts";

const runner = (text: string) => ({ ...FACTORY, "runners/r.yaml": text });

describe("a runner file", () => {
  test.each<[string, string, string[]]>([
    [
      "sizes on linux are powers of two",
      "instanceShape: { vcpus: 3, memoryGb: 8 }\n",
      ["FF_INVALID_VALUE runners/r.yaml:1:25"],
    ],
    [
      "sizes on macOS are those of its machines",
      "platform: { os: macos }\ninstanceShape: { vcpus: 4, memoryGb: 8 }\n",
      ["FF_INVALID_VALUE runners/r.yaml:2:16"],
    ],
    [
      "macOS comes in known sizes",
      "platform: { os: macos, mac: { version: '26' } }\ninstanceShape: { vcpus: 4, memoryGb: 7 }\n",
      [],
    ],
    [
      "whether setup is cached is yes or no",
      "setupCommands: [make]\nmillrace: { cacheSetup: always }\n",
      ["FF_TYPE_MISMATCH runners/r.yaml:2:25"],
    ],
    ["setup can be cached", "setupCommands: [make]\nmillrace: { cacheSetup: true }\n", []],
    ["macOS is aarch64", "platform: { os: macos, arch: x86_64 }\n", ["FF_INVALID_VALUE runners/r.yaml:1:30"]],
    [
      "linux takes no mac block",
      "platform: { mac: { version: '26' } }\n",
      ["FF_INVALID_VALUE runners/r.yaml:1:18"],
    ],
    [
      "a mac block needs a version",
      "platform: { os: macos, mac: {} }\n",
      ["FF_MISSING_REQUIRED runners/r.yaml:1:29"],
    ],
    [
      "an image is no option of the engine",
      "platform: { linux: { dockerImage: '--volume=/:/host' } }\n",
      ["FF_INVALID_VALUE runners/r.yaml:1:35"],
    ],
    [
      "an image is no file of the server",
      "platform: { linux: { dockerImage: 'docker-archive:/etc/x' } }\n",
      ["FF_INVALID_VALUE runners/r.yaml:1:35"],
    ],
    [
      "an image has a host with a port, a path, a tag and a digest",
      `platform: { linux: { dockerImage: 'localhost:5000/a/b__c-d.e:1.2_3@sha256:${"0a".repeat(32)}' } }\n`,
      [],
    ],
  ])("%s", async (_, text, expected) => {
    expect(await problemsOf(runner(text))).toEqual(expected);
  });
});
