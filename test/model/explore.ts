import { allowedChanges } from '#libs/ledger';
import { broken, wrongAtRest } from './promise.js';
import type { Rules } from './rules.js';
import { type Budget, keysOf, NO_BUDGET, type State } from './state.js';
import { RESTORES, stepsFrom } from './steps.js';
import { IDLE } from './workers.js';

export interface Explored {
  readonly states: number;
  readonly depth: number;
  /** The shortest story that breaks the promise, step by step; null: there is none. */
  readonly violation: { readonly what: string; readonly story: readonly string[] } | null;
}

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
  const { stackTraceLimit } = Error;
  // Requests are refused by the ten thousand, and nobody reads where.
  Error.stackTraceLimit = 0;
  try {
    return explored(rules, firstState(left), depth);
  } finally {
    Error.stackTraceLimit = stackTraceLimit;
  }
}

function explored(rules: Rules, first: State, depth: number): Explored {
  const seen = new Set([keysOf(first).whole]);
  const atRest = new Map<string, string | null>();
  let level: Reached[] = [{ state: first, path: null }];
  for (let steps = 1; steps <= depth; steps += 1) {
    const next: Reached[] = [];
    for (const { state, path } of level) {
      for (const { what, after } of stepsFrom(state, rules)) {
        const { whole, ended } = keysOf(after);
        if (seen.has(whole)) continue;
        seen.add(whole);
        const reached = { state: after, path: { what, before: path } };
        const wrong = forbidden(state, after, what) ?? broken(after) ?? wrongAtRest(after, ended(), rules, atRest);
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

function storyOf(path: Path): string[] {
  const story: string[] = [];
  for (let one: Path | null = path; one; one = one.before) story.unshift(one.what);
  return story;
}
