import { PAYMENT_METHOD_TYPES, type PaymentMethodType } from '#libs/gateways';
import { ALL_CASES } from '../support/all-cases.js';
import { explore } from './explore.js';
import { type Fault, FAULTS, rulesOf } from './rules.js';
import type { Budget } from './state.js';

/** So many steps, to at least so many states. */
type Depth = readonly [steps: number, fewestStates: number];

/**
 * Chaos samples, the model enumerates: every story of so many steps, in which so much may go wrong, as deep as `npm
 * test` goes, and as `npm run test:full` does (CONTRIBUTING.md has the figures).
 */
const STORIES: readonly [what: string, left: Partial<Budget>, depth: Depth, most: Depth][] = [
  ['workers die', { crashes: 2, waits: 2 }, [10, 4_000], [18, 7_300]],
  ['people ask, and a worker dies', { requests: 1, crashes: 1, waits: 2 }, [7, 5_000], [12, 50_000]],
  ['people ask twice', { requests: 2, waits: 1 }, [8, 1_000], [14, 6_800]],
  ['a backup is restored', { restores: 1, waits: 2 }, [9, 5_000], [15, 22_600]],
  ['a backup is restored, and people ask', { restores: 1, requests: 1, waits: 1 }, [8, 5_000], [12, 10_500]],
  ['a backup goes into another database', { restores: 1, moves: 1, waits: 2 }, [9, 5_000], [14, 25_900]],
  ['others charge on the account, and a worker dies', { strangers: 1, crashes: 1, waits: 2 }, [7, 5_000], [12, 37_200]],
  ['the gateway fails', { gatewayFaults: 2, waits: 2 }, [9, 5_000], [14, 13_400]],
  ['clocks go wrong, and a worker dies', { clockJumps: 1, crashes: 1, waits: 2 }, [7, 3_000], [12, 55_000]],
  [
    'everything goes wrong',
    { requests: 1, crashes: 1, restores: 1, gatewayFaults: 1, clockJumps: 1, waits: 2 },
    [5, 10_000],
    [9, 980_000],
  ],
];

describe.each(PAYMENT_METHOD_TYPES)('Every story with %s', (gateway) => {
  it.each(STORIES)('in which %s keeps the promise', (_, left, depth, most) => {
    const [steps, fewestStates] = ALL_CASES ? most : depth;
    const { states, violation } = explore(rulesOf(gateway), left, steps);
    expect(violation).toBeNull();
    expect(states).toBeGreaterThan(fewestStates);
  });
});

/** The stories in which each fault shows itself when it is put back, and what the model then says. */
const FOUND_IN: Readonly<Record<Fault, [left: Partial<Budget>, what: string, gateway?: PaymentMethodType]>> = {
  namedByNumber: [{ restores: 1, requests: 1, waits: 1 }, 'An Order has no capture of its own.'],
  repeatedUnderAnyClock: [{ clockJumps: 1, crashes: 1, waits: 1 }, 'An occurrence is charged twice.'],
  believesAnyClock: [{ clockJumps: 1, waits: 1 }, 'An occurrence is charged twice.'],
  countsForeign: [{ strangers: 1, crashes: 1, waits: 1 }, 'An Order has no capture of its own.', 'GatewayTwo'],
  blindReschedule: [{ requests: 1, waits: 1 }, 'Nobody asked for one of the charges.'],
  blindProcess: [{ requests: 1, waits: 1 }, 'Nobody asked for one of the charges.'],
  forgetsAttempts: [{ gatewayFaults: 2, waits: 2 }, 'An occurrence is charged twice.', 'GatewayTwo'],
  believesYoungLists: [{ gatewayFaults: 1, waits: 1 }, 'An occurrence is charged twice.'],
};

it.each(Object.keys(FAULTS) as Fault[])('The fault %s is found when it is put back', (fault) => {
  const [left, what, gateway = 'GatewayOne'] = FOUND_IN[fault];
  expect(explore(rulesOf(gateway, fault), left, 9).violation?.what).toBe(what);
});
