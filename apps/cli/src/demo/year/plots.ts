import {
  cancels,
  cardFails,
  givesAnotherCard,
  moves,
  orderEvery,
  pauses,
  reschedules,
  resumes,
  skips,
  type Step,
  wantsMore,
  wantsNow,
} from './customers-do.js';
import type { Overrides, PlannedOrder } from './orders.js';
import { address } from './people.js';
import {
  activatesOrdersOf,
  changesProduct,
  changesShipping,
  connects,
  disconnects,
  exempts,
  raisesPrice,
  setsUp,
} from './shop-does.js';

/** On which day of the year, and after how many hours of it, something happens. */
export interface Plot {
  readonly day: number;
  readonly hours: number;
  readonly steps: readonly Step[];
}

const at = (day: number, hours: number, ...steps: Step[]): Plot => ({ day, hours, steps });
const on = (day: number, ...steps: Step[]): Plot => at(day, 3, ...steps);

const weekly = (basket: PlannedOrder['basket']): Partial<PlannedOrder> => ({ frequency: ['Weeks', 1], basket });
/** Due on the last day of the year. */
const weeklyFrom = (day: number, basket: PlannedOrder['basket']) => ({ ...weekly(basket), day });

/** Orders with a story. What is due every week meets each turn of it within a week. */
export const OVERRIDES: Overrides = {
  '2001/1': weekly({ 'ESPRESSO-250': 2 }),
  '2002/1': weekly({ 'ESPRESSO-1KG': 1 }),
  '2007/1': weekly({ 'ESPRESSO-250': 1, 'FILTER-500': 1 }),
  '2009/1': weeklyFrom(42, { 'ESPRESSO-1KG': 1 }),
  '2013/1': weekly({ 'FILTER-500': 1 }),
  '2014/1': weeklyFrom(0, { 'DECAF-500': 1, 'ESPRESSO-1KG': 1 }),
  '2018/1': weeklyFrom(322, { 'ESPRESSO-250': 1, 'DECAF-500': 1 }),
  '2020/1': weekly({ 'DECAF-500': 1 }),
  '2024/1': weekly({ 'TASTER-3': 1 }),
  '2025/1': weekly({ 'ESPRESSO-1KG': 1, 'OAT-6': 1 }),
  '2027/1': weeklyFrom(112, { 'FILTER-500': 1, 'PAPER-100': 1 }),
  // A café.
  '2028/1': weekly({ 'ESPRESSO-1KG': 12, 'OAT-6': 4 }),
  '2030/1': weekly({ 'ESPRESSO-250': 2 }),
  '2031/1': weekly({ 'ESPRESSO-1KG': 1 }),
  '2036/1': weeklyFrom(7, { 'ESPRESSO-1KG': 2 }),
  // Its first occurrence is still to come, and there is no card.
  '2037/3': { day: 355, frequency: ['Weeks', 2], hasCard: false },
};

const SKIPPED = [
  ['2001/1', 45],
  ['2030/1', 60],
  ['2001/1', 120],
  ['2036/1', 131],
  ['2030/1', 190],
  ['2001/1', 201],
  ['2009/1', 205],
  ['2007/1', 230],
  ['2024/1', 255],
  ['2028/1', 262],
  ['2019/1', 281],
  ['2025/1', 310],
  ['2028/1', 358],
  ['2001/1', 363],
] as const;

const CANCELLED = [
  ['2014/3', 77],
  ['2002/3', 120],
  ['2020/2', 141],
  ['2019/3', 230],
  ['2007/2', 266],
  ['2025/2', 305],
  ['2013/3', 331],
] as const;

/** Paused on one day, and going on from another one. */
const ON_HOLIDAY = [
  ['2008/1', 90, 151],
  ['2014/1', 165, 186],
  ['2031/1', 200, 229],
  ['2001/2', 240, 300],
] as const;

const STILL_PAUSED = [
  ['2037/1', 299],
  ['2031/2', 310],
  ['2008/3', 316],
  ['2024/3', 322],
  ['2013/2', 338],
  ['2036/2', 349],
] as const;

const OF_CUSTOMERS: readonly Plot[] = [
  ...SKIPPED.map(([order, day]) => on(day, skips(order))),
  ...CANCELLED.map(([order, day]) => on(day, cancels(order))),
  ...ON_HOLIDAY.flatMap(([order, from, to]) => [on(from, pauses(order)), on(to, resumes(order))]),
  ...STILL_PAUSED.map(([order, day]) => on(day, pauses(order))),
  // Fixed before the retries are used up.
  on(70, cardFails('2002', 'expired')),
  on(79, givesAnotherCard('2002')),
  // Given up at once; the customer wants what was missed.
  on(150, cardFails('2007', 'lost')),
  on(159, givesAnotherCard('2007'), wantsNow('2007/1')),
  // Given up after the last retry, and fixed when the customer notices.
  on(210, cardFails('2013', 'expired')),
  on(250, givesAnotherCard('2013')),
  // Open at the end: three are being retried, one was given up after the last retry, one at once.
  on(333, cardFails('2030', 'expired')),
  on(351, cardFails('2031', 'lost')),
  on(357, cardFails('2024', 'expired')),
  on(358, cardFails('2025', 'expired')),
  on(361, cardFails('2014', 'expired')),
  on(101, wantsMore('2019/1', 2)),
  on(134, orderEvery('2030/2', 'Weeks', 3)),
  on(180, moves('2014', address('3434 SE Hawthorne Boulevard', 'Portland', 'OR', '97214', 'US'))),
  on(215, wantsNow('2030/2')),
  on(222, reschedules('2019/1', 10)),
  on(288, moves('2031', address('Rozengracht 118', 'Amsterdam', null, '1016 NJ', 'NL'))),
];

/** Events are kept from this day on: each occurrence that is announced is one more step of the clock. */
const EVENTS_FROM = 335;

/** Units in stock on the last day. Forecasts say when they run out. */
const STOCK = [
  ['ESPRESSO-1KG', 90],
  ['ESPRESSO-250', 160],
  ['FILTER-500', 40],
  ['DECAF-500', 14],
  ['ASSAM-250', 60],
  ['MINT-100', 9],
  ['OAT-6', 25],
  ['CARTRIDGE', 30],
  ['TABLETS-10', 100],
] as const;

const OF_THE_SHOP: readonly Plot[] = [
  on(20, changesProduct('TASTER-3', { SalePrice: 32 })),
  on(41, changesProduct('TASTER-3', { SalePrice: null })),
  on(150, changesProduct('DECAF-500', { Availability: 'OutOfStock' })),
  on(172, changesProduct('DECAF-500', { Availability: 'InStock' }), activatesOrdersOf('DECAF-500')),
  on(182, raisesPrice('ESPRESSO-1KG', 25.5)),
  on(200, exempts('2028', 'DE136695976')),
  on(240, changesShipping('Parcel', { BasePrice: 5.9 })),
  on(275, disconnects('GatewayOne')),
  at(275, 15, connects('GatewayOne')),
  on(EVENTS_FROM, setsUp({ KeepEvents: true })),
  on(345, changesProduct('CHOCOLATE-300', { Availability: 'Discontinued' })),
  // Still open at the end: its orders wait, and every 15 minutes one of them tries.
  on(364, disconnects('GatewayTwo')),
  on(364, ...STOCK.map(([sku, units]) => changesProduct(sku, { StockLevel: String(units) }))),
];

export const PLOTS: readonly Plot[] = [...OF_CUSTOMERS, ...OF_THE_SHOP];
