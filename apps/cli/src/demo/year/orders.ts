import type { Sku } from './catalogue.js';
import { type CustomerId, PEOPLE, type Person } from './people.js';

type FrequencyType = 'Days' | 'Weeks' | 'Months' | 'DayOfTheWeek' | 'DayOfTheMonth';
export type Gateway = 'GatewayOne' | 'GatewayTwo';
export type Frequency = readonly [FrequencyType, number];

/** Products, and how many. */
export type Basket = Readonly<Partial<Record<Sku, number>>>;

/** The customer, and the number among the customer's orders. */
export type OrderName = `${CustomerId}/${1 | 2 | 3}`;

/** A scheduled order of the simulated shop. */
export interface PlannedOrder {
  readonly name: OrderName;
  /** The day of the year on which it is made. */
  readonly day: number;
  readonly basket: Basket;
  readonly frequency: Frequency;
  readonly gateway: Gateway;
  readonly hasCard: boolean;
}

const EVERY: readonly Frequency[] = [
  ['Weeks', 1],
  ['Weeks', 2],
  ['Weeks', 2],
  ['Weeks', 3],
  ['Weeks', 4],
  ['Months', 1],
  ['Months', 1],
  ['Months', 2],
  ['Days', 10],
  ['Days', 21],
  ['DayOfTheWeek', 2],
  ['DayOfTheWeek', 6],
  ['DayOfTheMonth', 1],
  ['DayOfTheMonth', 15],
  ['DayOfTheMonth', 31],
];
const RARELY: readonly Frequency[] = [
  ['Months', 2],
  ['Months', 3],
  ['Weeks', 8],
  ['Days', 45],
];

/** What people drink, and how often. */
const COFFEE: readonly Basket[] = [
  { 'ESPRESSO-1KG': 1 },
  { 'ESPRESSO-1KG': 2 },
  { 'ESPRESSO-250': 2 },
  { 'ESPRESSO-250': 1, 'FILTER-500': 1 },
  { 'FILTER-500': 1 },
  { 'FILTER-500': 2, 'PAPER-100': 1 },
  { 'DECAF-500': 1, 'ESPRESSO-1KG': 1 },
  { 'TASTER-3': 1 },
];
const BESIDES: readonly Basket[] = [
  { 'ASSAM-250': 1 },
  { 'MINT-100': 2, 'ASSAM-250': 1 },
  { 'CHOCOLATE-300': 2 },
  { 'OAT-6': 1 },
  { 'OAT-6': 2, 'CHOCOLATE-300': 1 },
  { 'DECAF-500': 1 },
  { 'TASTER-3': 1 },
];
const SUPPLIES: readonly Basket[] = [
  { 'TABLETS-10': 1, CARTRIDGE: 1 },
  { CARTRIDGE: 2 },
  { 'PAPER-100': 3 },
  { 'DESCALER-1L': 1, 'TABLETS-10': 1 },
  { 'TABLETS-10': 1, 'PAPER-100': 1 },
];

const KINDS = [
  { baskets: COFFEE, frequencies: EVERY },
  { baskets: BESIDES, frequencies: EVERY },
  { baskets: SUPPLIES, frequencies: RARELY },
];

const SEED = 20;
/** Customers who were there on the first day; the others come in the course of the year. */
const FROM_THE_FIRST_DAY = 14;
const LATEST_JOINING = 330;
const LATEST_ORDER = 356;
/** One customer in so many pays through the other gateway. */
const OTHER_GATEWAY = 9;

/** A customer, the day on which it comes, and its orders. */
export interface Joining {
  readonly person: Person;
  readonly day: number;
  readonly orders: readonly PlannedOrder[];
}

export type Overrides = Readonly<Partial<Record<OrderName, Partial<PlannedOrder>>>>;

/** @param overrides what orders have by name, instead of what chance gives them. */
export function planJoinings(overrides: Overrides): readonly Joining[] {
  const random = new Random(SEED);
  return PEOPLE.map((person, index) => {
    const day = joiningDay(index, random);
    const orders = ordersOf(person, index, day, random);
    return { person, day, orders: orders.map((order) => ({ ...order, ...overrides[order.name] })) };
  });
}

function joiningDay(index: number, random: Random): number {
  // Who comes first is not who stands first in the list.
  const place = ((index * 7) % PEOPLE.length) - FROM_THE_FIRST_DAY;
  if (index === 0) return 0;
  if (place < 0) return random.below(9);
  const late = PEOPLE.length - FROM_THE_FIRST_DAY;
  return 10 + Math.floor((place * (LATEST_JOINING - 10)) / late) + random.below(7);
}

/** Three orders each: a customer tries the coffee first, then something besides, then orders supplies. */
function ordersOf({ externalId }: Person, index: number, joined: number, random: Random): PlannedOrder[] {
  const gateway = index % OTHER_GATEWAY === OTHER_GATEWAY - 1 ? 'GatewayTwo' : 'GatewayOne';
  let day = joined;
  return KINDS.map(({ baskets, frequencies }, kind) => {
    if (kind > 0) day = Math.min(day + 3 + random.below(25), LATEST_ORDER);
    const [basket, frequency] = [random.oneOf(baskets), random.oneOf(frequencies)];
    return { name: `${externalId}/${kind + 1}` as OrderName, day, basket, frequency, gateway, hasCard: true };
  });
}

const STEP = 0x6d2b79f5;
const TWO_TO_32 = 2 ** 32;

/** Numbers that look like chance and are the same every time (mulberry32). */
export class Random {
  constructor(private state: number) {}

  /** From 0, below `count`. */
  below(count: number): number {
    this.state = (this.state + STEP) | 0;
    let mixed = Math.imul(this.state ^ (this.state >>> 15), 1 | this.state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return Math.floor((((mixed ^ (mixed >>> 14)) >>> 0) / TWO_TO_32) * count);
  }

  oneOf<T>(choices: readonly T[]): T {
    return choices[this.below(choices.length)]!;
  }
}
