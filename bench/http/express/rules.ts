/** The product's own rules: the peer calculates the same amounts and dates. */
const rules = await import(process.env.BENCH_RULES!);
export const { compileRates, nextOccurrence, quote } = rules;
