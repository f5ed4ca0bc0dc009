/** What a model costs by `prices:` of millrace.yaml, in US dollars per million tokens. */
export interface PriceSetting {
  input: number;
  output: number;
  /** Of input that was read from a cache; as much as other input without it. */
  cached?: number;
}
