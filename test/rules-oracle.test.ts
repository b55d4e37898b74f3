import fc from 'fast-check';
import {
  advance,
  compileRates,
  DEFAULT_PRICE_SETTINGS,
  FREQUENCY_TYPES,
  type FrequencyRule,
  minorUnitsOf,
  nextOccurrence,
  quote,
} from '#libs/rules';
import { ALL_CASES } from './support/all-cases.js';
import { useDatabase } from './support/database.js';

/**
 * PostgreSQL's calendar and its numeric as an oracle: it steps from the anchor with interval arithmetic and rounds
 * with round(), which share nothing with our own functions.
 */
const COUNT = ALL_CASES ? 10_000 : 2_000;
const DAY = 86_400_000;
const database = useDatabase();
const LARGEST = { Days: 3650, Weeks: 520, Months: 120, DayOfTheWeek: 7, DayOfTheMonth: 31 };
const rules: fc.Arbitrary<FrequencyRule> = fc.constantFrom(...FREQUENCY_TYPES).chain((frequencyType) =>
  fc.record({
    frequencyType: fc.constant(frequencyType),
    frequency: fc.oneof(
      fc.integer({ min: 1, max: Math.min(31, LARGEST[frequencyType]) }),
      fc.integer({ min: 1, max: LARGEST[frequencyType] }),
    ),
  }),
);
const anchors = fc.date({ min: new Date('1960-01-01'), max: new Date('2060-01-01'), noInvalidDate: true });
/** Often at the anchor's own time of day, where "strictly after" decides; now and then decades. */
const delays = fc.oneof(
  { weight: 9, arbitrary: fc.integer({ min: 0, max: 730 }).map((days) => days * DAY) },
  { weight: 9, arbitrary: fc.integer({ min: 0, max: 730 * DAY }) },
  { weight: 1, arbitrary: fc.integer({ min: 0, max: 50 * 365 }).map((days) => days * DAY) },
);
const later = (date: Date, ms: number): Date => new Date(date.getTime() + ms);

/** Every regular occurrence of each given series up to one period after `until`; instants are timestamps in UTC. */
const OCCURRENCES = `
  WITH given AS (
    SELECT id, type, frequency,
           date_trunc('second', anchor::timestamptz AT TIME ZONE 'UTC') AS anchor,
           "from"::timestamptz AT TIME ZONE 'UTC' AS "from",
           until::timestamptz AT TIME ZONE 'UTC' AS until,
           next::timestamptz AT TIME ZONE 'UTC' AS next,
           missed
      FROM json_to_recordset($1) AS series(
             id int, type text, frequency int, anchor text, "from" text, until text, next text, missed int)
  ), occurrences AS (
    SELECT id, anchor + k * frequency * CASE type
             WHEN 'Days' THEN interval '1 day' WHEN 'Weeks' THEN interval '1 week' ELSE interval '1 month' END AS occurrence
      FROM given,
           generate_series(0, CASE type
             WHEN 'Days' THEN extract(day FROM until - anchor)::int / frequency
             WHEN 'Weeks' THEN extract(day FROM until - anchor)::int / (7 * frequency)
             ELSE extract(day FROM until - anchor)::int / (28 * frequency) END + 2) AS k
     WHERE type IN ('Days', 'Weeks', 'Months')
    UNION ALL
    SELECT id, day
      FROM given, generate_series(anchor, until + interval '8 days', interval '1 day') AS day
     WHERE type = 'DayOfTheWeek' AND extract(dow FROM day) + 1 = frequency
    UNION ALL
    SELECT id, day
      FROM given, generate_series(anchor, until + interval '70 days', interval '1 day') AS day
     WHERE type = 'DayOfTheMonth'
       AND (extract(day FROM day) = frequency
            OR (extract(day FROM day) < frequency AND extract(day FROM day + interval '1 day') = 1))
  )`;

/** What PostgreSQL finds otherwise than we do; `right` is how many series agree. */
async function disagreements(series: object[]) {
  const [answer] = await database.query<{ right: number; wrong: unknown[] }>(
    `${OCCURRENCES}, judged AS (
       SELECT given.*, truth.next AS true_next, truth.missed AS true_missed
         FROM given
         JOIN (SELECT id, min(occurrence) FILTER (WHERE occurrence > until) AS next,
                      (count(*) FILTER (WHERE occurrence > "from" AND occurrence <= until))::int AS missed
                 FROM occurrences JOIN given USING (id) GROUP BY id) AS truth USING (id)
     )
     SELECT (count(*) FILTER (WHERE (next, missed) = (true_next, true_missed)))::int AS right,
            coalesce(jsonb_agg(judged) FILTER (WHERE (next, missed) IS DISTINCT FROM (true_next, true_missed)), '[]') AS wrong
       FROM judged`,
    [JSON.stringify(series)],
  );
  return { right: answer!.right, wrong: answer!.wrong.slice(0, 3) };
}

const agreed = { right: COUNT, wrong: [] };

test(`the next occurrence of ${COUNT} series is PostgreSQL's`, async () => {
  const series = fc.sample(fc.tuple(rules, anchors, delays), { numRuns: COUNT }).map(([rule, anchor, delay], id) => {
    const after = later(anchor, delay);
    const next = nextOccurrence(rule, anchor, after);
    return {
      id,
      type: rule.frequencyType,
      frequency: rule.frequency,
      anchor,
      from: after,
      until: after,
      next,
      missed: 0,
    };
  });
  expect(await disagreements(series)).toEqual(agreed);
});

test(`where ${COUNT} series go on after an outage, and what they passed over, is PostgreSQL's`, async () => {
  const series = fc
    .sample(fc.tuple(rules, anchors, delays, delays), { numRuns: COUNT })
    .map(([rule, anchor, due, outage], id) => {
      const occurrence = nextOccurrence(rule, anchor, later(anchor, due));
      const now = later(occurrence, outage);
      const { nextUtc, missedOccurrences } = advance({ rule, anchor, occurrence, replaced: null, now });
      const { frequencyType: type, frequency } = rule;
      return { id, type, frequency, anchor, from: occurrence, until: now, next: nextUtc, missed: missedOccurrences };
    });
  expect(await disagreements(series)).toEqual(agreed);
});

test(`${COUNT} amounts are rounded as numeric is`, async () => {
  const amounts = fc.record({
    scaled: fc.oneof(fc.integer({ min: -100_000, max: 100_000 }), fc.integer({ min: -(10 ** 15), max: 10 ** 15 })),
    currency: fc.constantFrom('USD', 'JPY', 'KWD', 'CLF'),
  });
  const rows = fc.sample(amounts, { numRuns: COUNT }).map(({ scaled, currency }, id) => {
    const digits = String(Math.abs(scaled)).padStart(5, '0');
    const amount = `${scaled < 0 ? '-' : ''}${digits.slice(0, -4)}.${digits.slice(-4)}`;
    return { id, amount, currency, minor: minorUnitsOf(amount, currency) };
  });
  const wrong = await database.query(
    `SELECT * FROM json_to_recordset($1) AS given(id int, amount numeric, currency text, minor numeric)
      WHERE minor IS DISTINCT FROM CASE currency
              WHEN 'USD' THEN round(amount, 2) * 100
              WHEN 'JPY' THEN round(amount)
              WHEN 'KWD' THEN round(amount, 2) * 1000
              WHEN 'CLF' THEN amount * 10000 END
      LIMIT 3`,
    [JSON.stringify(rows)],
  );
  expect(wrong).toEqual([]);
});

/**
 * Rates of so many places make fractions that no decimal has; half of a minor unit is met where percentages are round,
 * and a division must not miss it.
 */
test(`the taxes in ${COUNT} gross prices are those that numeric finds`, async () => {
  const percentages = fc.oneof(
    fc.constantFrom('5', '7', '19', '20', '25'),
    fc.integer({ min: 0, max: 30_000_000 }).map((scaled) => (scaled / 1_000_000).toFixed(6)),
  );
  const lines = fc.record({
    cents: fc.oneof(fc.integer({ min: 0, max: 2_000 }), fc.integer({ min: 0, max: 10 ** 9 })),
    simple: fc.array(percentages, { maxLength: 2 }),
    compound: fc.array(percentages, { maxLength: 2 }),
  });
  const rows = fc.sample(lines, { numRuns: COUNT }).map(({ cents, simple, compound }, id) => {
    const rates = [...simple, ...compound].map((rate, index) => ({
      ...{ id: index, taxClass: null, name: String(index), rate, isCompound: index >= simple.length },
      ...{ country: null, state: null, city: null, postcode: null },
    }));
    const item = {
      ...{ id: 1, productId: 1, price: (cents / 100).toFixed(2), salePrice: null, quantity: 1 },
      product: { shippingClass: null, taxClass: null, availability: null, stockLevel: null, deletedUtc: null },
    };
    const order = {
      ...{ currencyIso: 'USD', cycles: 0, items: [item] },
      ...{ shippingCountry: 'DE', shippingState: null, shippingCity: null, shippingPostcode: null },
      ...{ shippingTotal: 0, taxTotal: 0, shippingTotalFixed: false, taxTotalFixed: false },
    };
    const gross = { ...DEFAULT_PRICE_SETTINGS, prices: 'Gross' } as const;
    const { subtotal, lines } = quote(order, compileRates([], rates, false, gross));
    return { id, cents, simple, compound, subtotal, taxes: lines[0]!.taxes.map(({ amount }) => amount) };
  });
  const wrong = await database.query(
    `WITH given AS (
       SELECT * FROM json_to_recordset($1) AS given(id int, cents numeric, simple numeric[], compound numeric[], subtotal numeric, taxes numeric[])
     ), factors AS (
       SELECT given.*, 1 + coalesce((SELECT sum(r) FROM unnest(simple) r), 0) / 100 AS simple_factor,
         coalesce(1 + compound[1] / 100, 1) AS first_factor, coalesce(1 + compound[2] / 100, 1) AS second_factor
         FROM given
     ), exact AS (
       SELECT factors.*, cents * 1e40 / (simple_factor * first_factor * second_factor) AS net FROM factors
     ), truth AS (
       SELECT exact.*, array_remove(ARRAY[
           ceil(round(net * simple[1] / 100 / 1e40, 30) - 0.5), ceil(round(net * simple[2] / 100 / 1e40, 30) - 0.5),
           ceil(round(net * simple_factor * compound[1] / 100 / 1e40, 30) - 0.5),
           ceil(round(net * simple_factor * first_factor * compound[2] / 100 / 1e40, 30) - 0.5)], NULL) AS true_taxes
         FROM exact
     )
     SELECT * FROM truth
      WHERE taxes <> true_taxes OR subtotal <> cents - coalesce((SELECT sum(t) FROM unnest(true_taxes) t), 0) LIMIT 3`,
    [JSON.stringify(rows)],
  );
  expect(wrong).toEqual([]);
});
