import { describe, expect, test } from "vitest";
import { minuteBudget, rateBudget } from "../../src/concurrency/budget.ts";
import { clientAddress } from "../../src/edge/client-address.ts";

function clockAt(start = 0) {
  const clock = { now: start };
  return {
    clock: () => clock.now,
    wait: (ms: number) => {
      clock.now += ms;
    },
  };
}

describe("a rate budget", () => {
  test("lets so many through in any minute, and says how long to wait", () => {
    const { clock, wait } = clockAt(1_000_000);
    const budget = rateBudget(3, clock);
    const taken = [budget.take("a")];
    wait(20_000);
    taken.push(budget.take("a"), budget.take("a"));
    expect(taken).toEqual([0, 0, 0]);
    expect(budget.take("a")).toBe(40);
    wait(39_999);
    expect(budget.take("a")).toBe(1);
    wait(1);
    expect([budget.take("a"), budget.take("a")]).toEqual([0, 20]);
  });

  test("of one key is not that of another", () => {
    const budget = rateBudget(1, () => 0);
    expect([budget.take("a"), budget.take("b"), budget.take("a")]).toEqual([0, 0, 60]);
  });

  test("never lets more through than its rate, whenever they come", () => {
    const { clock, wait } = clockAt();
    const budget = rateBudget(60, clock);
    const through: number[] = [];
    for (let step = 0; step < 5_000; step += 1) {
      wait((step * 7_919) % 400);
      if (budget.take("a") === 0) through.push(clock());
    }
    for (const [index, time] of through.entries()) {
      const minuteBefore = through[index - 60];
      if (minuteBefore !== undefined) expect(time - minuteBefore).toBeGreaterThanOrEqual(60_000);
    }
    expect(through.length).toBeGreaterThan(60);
  });
});

describe("a failure budget", () => {
  test("blocks an address until the minute of its first failure has passed", () => {
    const { clock, wait } = clockAt();
    const budget = minuteBudget(2, clock);
    budget.count("x");
    wait(30_000);
    expect(budget.blockedFor("x")).toBe(0);
    budget.count("x");
    expect(budget.blockedFor("x")).toBe(30);
    expect(budget.blockedFor("y")).toBe(0);
    wait(30_000);
    expect(budget.blockedFor("x")).toBe(0);
  });

  test("remembers no more addresses than it may, the newest ones", () => {
    const budget = minuteBudget(1, () => 0, 1_000);
    for (let address = 0; address < 1_000_000; address += 1) budget.count(`address ${address}`);
    expect(budget.size()).toBeLessThanOrEqual(1_000);
    expect(budget.blockedFor("address 999999")).toBe(60);
    expect(budget.blockedFor("address 0")).toBe(0);
  });
});

describe("the address of a client", () => {
  const from = (remoteAddress: string, forwarded: string | undefined, trusted: string[]) =>
    clientAddress(trusted)({
      socket: { remoteAddress },
      connection: { remoteAddress },
      headers: forwarded === undefined ? {} : { "x-forwarded-for": forwarded },
    } as never);

  test("is that of its connection, whatever it claims, when no proxy is trusted", () => {
    expect(from("203.0.113.7", "198.51.100.1", [])).toBe("203.0.113.7");
    expect(from("::ffff:203.0.113.7", undefined, [])).toBe("203.0.113.7");
  });

  test("is the last one in front of the trusted proxies", () => {
    const trusted = ["10.0.0.0/8", "fd00::/8"];
    expect(from("10.1.2.3", "1.1.1.1, 198.51.100.1, 10.9.9.9", trusted)).toBe("198.51.100.1");
    expect(from("198.51.100.9", "1.1.1.1", trusted)).toBe("198.51.100.9");
    expect(from("10.1.2.3", undefined, trusted)).toBe("10.1.2.3");
    expect(from("10.1.2.3", "not an address", trusted)).toBe("10.1.2.3");
    expect(from("10.1.2.3", "198.51.100.1:4711", trusted)).toBe("198.51.100.1");
    expect(from("10.1.2.3", "[2001:db8::1]:4711", trusted)).toBe(from("10.1.2.3", "2001:db8::1", trusted));
  });

  test("of IPv6 is its network of 64 bits", () => {
    expect(from("2001:db8:1:2:3:4:5:6", undefined, [])).toBe(from("2001:db8:1:2::1", undefined, []));
    expect(from("2001:db8:1:3::1", undefined, [])).not.toBe(from("2001:db8:1:2::1", undefined, []));
  });
});
