import { hash } from 'node:crypto';
import { allowedChanges } from '#libs/ledger';
import { broken, settled, unsettled } from './promise.js';
import type { Rules } from './rules.js';
import type { Budget, State } from './state.js';
import { RESTORES, stepsFrom } from './steps.js';
import { IDLE } from './workers.js';

export interface Explored {
  readonly states: number;
  readonly depth: number;
  /** The shortest story that breaks the promise, step by step; null: there is none. */
  readonly violation: { readonly what: string; readonly story: readonly string[] } | null;
}

const NO_BUDGET: Budget = {
  requests: 0,
  crashes: 0,
  restores: 0,
  gatewayFaults: 0,
  clockJumps: 0,
  waits: 0,
  strangers: 0,
  moves: 0,
};

/** An Active order of every day, the first occurrence of which is due. */
export const firstState = (left: Partial<Budget>): State => ({
  now: 0,
  databaseAhead: 0,
  db: {
    order: { status: 'Active', deleted: false, next: 0, replaced: null, anchor: -24 * 60 },
    cycles: [],
    orders: [],
    found: [],
    held: [],
    refused: false,
    doubtSince: null,
    seen: 0,
  },
  snapshot: null,
  workers: [IDLE, IDLE],
  gateway: { remembered: [], charges: [], travelling: [] },
  left: { ...NO_BUDGET, ...left },
  requested: 0,
});

/** Looks at every state that so many steps can lead to, nearest first. */
export function explore(rules: Rules, left: Partial<Budget>, depth: number): Explored {
  const first = firstState(left);
  const seen = new Set([keyOf(first)]);
  const atRest = new Map<string, string | null>();
  let level: Reached[] = [{ state: first, path: null }];
  for (let steps = 1; steps <= depth; steps += 1) {
    const next: Reached[] = [];
    for (const { state, path } of level) {
      for (const { what, after } of stepsFrom(state, rules)) {
        const key = keyOf(after);
        if (seen.has(key)) continue;
        seen.add(key);
        const reached = { state: after, path: { what, before: path } };
        const wrong = forbidden(state, after, what) ?? broken(after) ?? wrongAtRest(after, rules, atRest);
        if (wrong !== null)
          return { states: seen.size, depth: steps, violation: { what: wrong, story: storyOf(reached.path) } };
        next.push(reached);
      }
    }
    if (next.length === 0) return { states: seen.size, depth: steps, violation: null };
    level = next;
  }
  return { states: seen.size, depth, violation: null };
}

const ALLOWED = new Set(allowedChanges().map(({ from, to }) => `${from}>${to}`));

/** A change of a cycle's state that the table of transitions does not have. */
function forbidden({ db: before }: State, { db: after }: State, what: string): string | null {
  if (RESTORES.includes(what)) return null;
  for (const [index, { cycle, state }] of after.cycles.entries()) {
    const from = before.cycles[index]?.state ?? null;
    if (from !== state && !ALLOWED.has(`${from}>${state}`)) return `Cycle ${cycle} goes from ${from} to ${state}.`;
  }
  return null;
}

/** The steps that have led somewhere, the last one first. */
interface Path {
  readonly what: string;
  readonly before: Path | null;
}

interface Reached {
  readonly state: State;
  readonly path: Path | null;
}

/** What is left of disturbances and requests makes no difference once they have ended. */
function wrongAtRest(state: State, rules: Rules, known: Map<string, string | null>): string | null {
  const key = keyOf({ ...state, left: NO_BUDGET, snapshot: null });
  const before = known.get(key);
  if (before !== undefined) return before;
  const end = settled(state, rules);
  const wrong = end === undefined ? 'It never comes to rest.' : (broken(end) ?? unsettled(end));
  known.set(key, wrong);
  return wrong;
}

/** A digest takes a tenth of the memory. */
const keyOf = (state: State): string => hash('md5', JSON.stringify(state), 'base64url');

function storyOf(path: Path): string[] {
  const story: string[] = [];
  for (let one: Path | null = path; one; one = one.before) story.unshift(one.what);
  return story;
}
