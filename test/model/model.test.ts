import { PAYMENT_METHOD_TYPES, type PaymentMethodType } from '#libs/gateways';
import { ALL_CASES } from '../support/all-cases.js';
import { explore } from './explore.js';
import { type Fault, FAULTS, rulesOf } from './rules.js';
import type { Budget } from './state.js';

/**
 * Chaos samples, the model enumerates: every story of so many steps, in which so much may go wrong. The first number of steps is that of `npm test`, the second
 * that of `npm run test:full`.
 */
const STORIES: readonly [what: string, left: Partial<Budget>, steps: number, most: number, fewestStates: number][] = [
  ['workers die', { crashes: 2, waits: 2 }, 10, 14, 4_000],
  ['people ask, and a worker dies', { requests: 1, crashes: 1, waits: 2 }, 8, 11, 5_000],
  ['people ask twice', { requests: 2, waits: 1 }, 8, 12, 1_000],
  ['a backup is restored', { restores: 1, waits: 2 }, 10, 13, 5_000],
  ['a backup is restored, and people ask', { restores: 1, requests: 1, waits: 1 }, 8, 11, 5_000],
  ['the gateway fails', { gatewayFaults: 2, waits: 2 }, 9, 12, 5_000],
  ['clocks go wrong, and a worker dies', { clockJumps: 1, crashes: 1, waits: 2 }, 7, 11, 3_000],
  [
    'everything goes wrong',
    { requests: 1, crashes: 1, restores: 1, gatewayFaults: 1, clockJumps: 1, waits: 2 },
    5,
    9,
    10_000,
  ],
];

describe.each(PAYMENT_METHOD_TYPES)('Every story with %s', (gateway) => {
  it.each(STORIES)('in which %s keeps the promise', (_, left, steps, most, fewestStates) => {
    const { states, violation } = explore(rulesOf(gateway), left, ALL_CASES ? most : steps);
    expect(violation).toBeNull();
    expect(states).toBeGreaterThan(fewestStates);
  });
});

/** The stories in which each fault shows itself when it is put back, and what the model then says. */
const FOUND_IN: Readonly<Record<Fault, [left: Partial<Budget>, what: string, gateway?: PaymentMethodType]>> = {
  namedByNumber: [{ restores: 1, requests: 1, waits: 1 }, 'An Order has no capture of its own.'],
  repeatedUnderAnyClock: [{ clockJumps: 1, crashes: 1, waits: 1 }, 'An occurrence is charged twice.'],
  believesAnyClock: [{ clockJumps: 1, waits: 1 }, 'An occurrence is charged twice.'],
  blindReschedule: [{ requests: 1, waits: 1 }, 'Nobody asked for one of the charges.'],
  blindProcess: [{ requests: 1, waits: 1 }, 'Nobody asked for one of the charges.'],
  forgetsAttempts: [{ gatewayFaults: 2, waits: 2 }, 'An occurrence is charged twice.', 'GatewayTwo'],
};

it.each(Object.keys(FAULTS) as Fault[])('The fault %s is found when it is put back', (fault) => {
  const [left, what, gateway = 'GatewayOne'] = FOUND_IN[fault];
  expect(explore(rulesOf(gateway, fault), left, 9).violation?.what).toBe(what);
});
