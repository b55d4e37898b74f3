const UNITS_MS = { weeks: 604_800_000, days: 86_400_000, hours: 3_600_000, minutes: 60_000, seconds: 1_000 } as const;

const PATTERN =
  /^P(?:(?<weeks>\d{1,6})W)?(?:(?<days>\d{1,6})D)?(?:T(?:(?<hours>\d{1,9})H)?(?:(?<minutes>\d{1,9})M)?(?:(?<seconds>\d{1,9}(?:[.,]\d{1,3})?)S)?)?$/;

/**
 * Milliseconds of an ISO 8601 duration such as `PT30S`, `P1D` or `P1DT12H`.
 * Years and months are refused: they have no fixed length. A day is 24 hours.
 * @throws RangeError whose message continues after the setting's name.
 */
export function durationMs(text: string): number {
  const match = PATTERN.exec(text);
  if (match === null || text.endsWith('T') || text === 'P') {
    throw new RangeError(
      /^P[\dYMWD]*[\dYM]*[YM]/.test(text)
        ? 'has years or months, which have no fixed length: write days'
        : 'is no ISO 8601 duration such as PT30S or P1D',
    );
  }
  let total = 0;
  for (const [unit, ms] of Object.entries(UNITS_MS)) {
    const amount = match.groups?.[unit];
    if (amount !== undefined) total += Math.round(Number(amount.replace(',', '.')) * ms);
  }
  return total;
}

/** The shortest usual spelling of a number of milliseconds, e.g. 90,000 → `PT1M30S`. */
export function durationText(ms: number): string {
  let rest = ms;
  const take = (unit: keyof typeof UNITS_MS, letter: string) => {
    const amount = Math.floor(rest / UNITS_MS[unit]);
    rest -= amount * UNITS_MS[unit];
    return amount === 0 ? '' : `${amount}${letter}`;
  };
  const date = take('days', 'D');
  const time = take('hours', 'H') + take('minutes', 'M') + (rest === 0 ? '' : `${rest / 1_000}S`);
  if (date === '' && time === '') return 'PT0S';
  return `P${date}${time === '' ? '' : `T${time}`}`;
}
