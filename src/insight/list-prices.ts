/** What a model costs, in US dollars per million tokens. */
export interface Price {
  /** Of input that was not read from a cache; what is written to a cache counts as input. */
  input: number;
  /** Of input that was read from a cache. */
  cached: number;
  output: number;
}

/** The prices that a provider lists for standard requests, without discounts. */
export interface PriceList {
  provider: string;
  /** The page that says so. */
  source: string;
  /** The day on which the page said so. */
  date: string;
  prices: Readonly<Record<string, Price>>;
}

/**
 * The prices of models that agents usually use, of requests up to the size from which a provider charges more. A model is left
 * out where a long request costs several times as much, or where its price is announced to change: unknown is better than wrong.
 */
export const PRICE_LISTS: readonly PriceList[] = [
  {
    provider: "anthropic",
    source: "https://platform.claude.com/docs/en/about-claude/pricing",
    date: "2026-10-24",
    prices: {
      "claude-fable-5": price(10, 1, 50),
      "claude-opus-5-5": price(4, 0.2, 20),
      "claude-opus-5": price(5, 0.5, 25),
      "claude-opus-4-8": price(5, 0.5, 25),
      "claude-opus-4-7": price(5, 0.5, 25),
      "claude-opus-4-6": price(5, 0.5, 25),
      "claude-opus-4-5": price(5, 0.5, 25),
      "claude-opus-4-1": price(15, 1.5, 75),
      "claude-opus-4-0": price(15, 1.5, 75),
      "claude-opus-4": price(15, 1.5, 75),
      "claude-sonnet-5-5": price(2, 0.1, 10),
      "claude-sonnet-5": price(2, 0.2, 10),
      "claude-sonnet-4-6": price(3, 0.3, 15),
      "claude-sonnet-4-5": price(3, 0.3, 15),
      "claude-sonnet-4-0": price(3, 0.3, 15),
      "claude-sonnet-4": price(3, 0.3, 15),
      "claude-haiku-4-5": price(1, 0.1, 5),
    },
  },
  {
    provider: "anthropic",
    source: "https://platform.claude.com/docs/en/about-claude/pricing",
    date: "2025-12-31",
    prices: {
      "claude-3-opus": price(15, 1.5, 75),
      "claude-3-7-sonnet": price(3, 0.3, 15),
      "claude-3-5-sonnet": price(3, 0.3, 15),
      "claude-3-5-haiku": price(0.8, 0.08, 4),
      "claude-3-haiku": price(0.25, 0.03, 1.25),
    },
  },
  {
    provider: "openai",
    source: "https://developers.openai.com/api/docs/models/gpt-6.2-sol",
    date: "2026-11-27",
    prices: { "gpt-6.2-sol": price(2, 0.1, 10) },
  },
  {
    provider: "openai",
    source: "https://developers.openai.com/api/docs/pricing",
    date: "2026-10-01",
    prices: {
      "gpt-6.1-sol": price(2, 0.1, 10),
      "gpt-6-sol": price(2, 0.2, 10),
      "gpt-6-luna": price(0.1, 0.01, 0.5),
    },
  },
  {
    provider: "openai",
    source: "https://developers.openai.com/api/docs/pricing",
    date: "2026-05-04",
    prices: {
      "gpt-5.5": price(5, 0.5, 30),
      "gpt-5.5-pro": price(30, 30, 180),
      "gpt-5.4": price(2.5, 0.25, 15),
      "gpt-5.4-mini": price(0.75, 0.075, 4.5),
      "gpt-5.4-nano": price(0.2, 0.02, 1.25),
      "gpt-5.3-codex": price(1.75, 0.175, 14),
      "gpt-5.2-codex": price(1.75, 0.175, 14),
    },
  },
  {
    provider: "openai",
    source: "https://platform.openai.com/docs/pricing",
    date: "2025-12-31",
    prices: {
      "gpt-5.2": price(1.75, 0.175, 14),
      "gpt-5.1": price(1.25, 0.125, 10),
      "gpt-5.1-codex": price(1.25, 0.125, 10),
      "gpt-5.1-codex-max": price(1.25, 0.125, 10),
      "gpt-5.1-codex-mini": price(0.25, 0.025, 2),
      "gpt-5": price(1.25, 0.125, 10),
      "gpt-5-codex": price(1.25, 0.125, 10),
      "gpt-5-mini": price(0.25, 0.025, 2),
      "gpt-5-nano": price(0.05, 0.005, 0.4),
      "gpt-5-pro": price(15, 15, 120),
      "gpt-4.1": price(2, 0.5, 8),
      "gpt-4.1-mini": price(0.4, 0.1, 1.6),
      "gpt-4.1-nano": price(0.1, 0.025, 0.4),
      "gpt-4o": price(2.5, 1.25, 10),
      "gpt-4o-2024-05-13": price(5, 5, 15),
      "gpt-4o-mini": price(0.15, 0.075, 0.6),
      o3: price(2, 0.5, 8),
      "o4-mini": price(1.1, 0.275, 4.4),
      "o3-mini": price(1.1, 0.55, 4.4),
      o1: price(15, 7.5, 60),
      "codex-mini-latest": price(1.5, 0.375, 6),
    },
  },
  {
    provider: "google",
    source: "https://ai.google.dev/gemini-api/docs/pricing",
    date: "2026-10-07",
    prices: {
      "gemini-3.5-flash": price(1.5, 0.15, 9),
      "gemini-3.1-pro-preview": price(2, 0.2, 12),
      "gemini-2.5-pro": price(1.25, 0.125, 10),
      "gemini-2.5-flash": price(0.3, 0.03, 2.5),
      "gemini-2.5-flash-lite": price(0.1, 0.01, 0.4),
    },
  },
  {
    provider: "google",
    source: "https://ai.google.dev/gemini-api/docs/pricing",
    date: "2025-12-31",
    prices: {
      "gemini-3-pro-preview": price(2, 0.2, 12),
      "gemini-3-flash-preview": price(0.5, 0.05, 3),
      "gemini-2.0-flash": price(0.1, 0.025, 0.4),
    },
  },
];

function price(input: number, cached: number, output: number): Price {
  return { input, cached, output };
}
