import { expect, test } from "vitest";
import { staysOnThisMachine } from "../../src/config/loopback.ts";

test.each([
  "http://localhost:8787",
  "http://127.0.0.1",
  "http://127.8.9.10:80/x",
  "http://[::1]:80",
  "http://[::ffff:127.0.0.1]/",
])("%s stays on this machine", (url) => {
  expect(staysOnThisMachine(url)).toBe(true);
});

test.each([
  "http://127.0.0.1.example.com",
  "http://127.example.com",
  "http://localhost.example.com",
  "http://128.0.0.1",
  "http://[::2]",
  "http://10.0.0.1",
])("%s does not", (url) => {
  expect(staysOnThisMachine(url)).toBe(false);
});
