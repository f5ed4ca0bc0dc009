import { describe, expect, test } from "vitest";
import { addressRules } from "../../src/outbound/address-rules.ts";

const INSIDE = [
  "127.0.0.1",
  "127.255.255.254",
  "0.0.0.0",
  "10.1.2.3",
  "172.16.0.1",
  "192.168.1.1",
  "100.64.0.1",
  "169.254.169.254",
  "192.0.0.8",
  "192.0.2.1",
  "198.18.0.1",
  "224.0.0.1",
  "240.0.0.1",
  "255.255.255.255",
  "::",
  "::1",
  "fe80::1",
  "fe80::1%eth0",
  "fc00::1",
  "fd00:ec2::254",
  "fec0::1",
  "ff02::1",
  "2001:db8::1",
  "2001::1",
  // Of clouds: Azure, IBM, Alibaba, Tencent, Oracle, and in IPv6 Google, Linode, Scaleway.
  "168.63.129.16",
  "::ffff:168.63.129.16",
  "64:ff9b::a83f:8110",
  "2002:a83f:8110::1",
  "161.26.0.10",
  "166.9.14.5",
  "100.100.100.200",
  "100.100.2.136",
  "169.254.0.23",
  "192.0.0.192",
  "fd20:ce::254",
  "fd00:a9fe:a9fe::1",
  "fd00:42::42",
  // Forms of IPv6 that carry an address of IPv4.
  "::ffff:127.0.0.1",
  "::ffff:a00:1",
  "::127.0.0.1",
  "::ffff:0:127.0.0.1",
  "64:ff9b::127.0.0.1",
  "64:ff9b::a9fe:a9fe",
  "64:ff9b:1::808:808",
  "2002:7f00:1::",
  "2002:a00:1::1",
  "not an address",
  "",
];

const OUTSIDE = [
  "8.8.8.8",
  "1.1.1.1",
  "168.63.129.17",
  "161.27.0.1",
  "166.12.0.1",
  "203.0.114.1",
  "2606:4700::1",
  "::ffff:8.8.8.8",
  "64:ff9b::808:808",
];

describe("without exceptions, outbound requests", () => {
  const isPermitted = addressRules([]);
  test.each(INSIDE)("do not reach %s", (address) => expect(isPermitted(address)).toBe(false));
  test.each(OUTSIDE)("reach %s", (address) => expect(isPermitted(address)).toBe(true));
});

describe("exceptions of the settings", () => {
  test("let requests to their networks, in every form of an address, and to no others", () => {
    const isPermitted = addressRules(["10.0.0.0/8", "127.0.0.1/32", "fd00::/8", "192.168.7.7"]);
    for (const address of [
      "10.200.0.1",
      "127.0.0.1",
      "::ffff:10.0.0.1",
      "64:ff9b::a00:1",
      "2002:a00:1::",
      "fd12::1",
      "192.168.7.7",
      "8.8.8.8",
    ])
      expect(isPermitted(address), address).toBe(true);
    for (const address of ["127.0.0.2", "192.168.7.8", "169.254.169.254", "::1", "fe80::1"])
      expect(isPermitted(address), address).toBe(false);
  });
});
