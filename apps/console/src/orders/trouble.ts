import type { Explained } from './queries.ts';

/** What helps an order that is in trouble, by what the API says of it. */
export type Step =
  | 'payment'
  | 'add-item'
  | 'contents'
  | 'address'
  | 'payments-page'
  | 'differences'
  | 'process'
  | 'schedule'
  | 'activate'
  | 'settle'
  | 'wait';

const STEPS: Readonly<Record<number, Step>> = {
  1000: 'add-item',
  1001: 'contents',
  1002: 'address',
  1003: 'payments-page',
  1004: 'payment',
  1005: 'contents',
  1006: 'address',
  1009: 'differences',
  1010: 'contents',
  2000: 'payment',
  2001: 'process',
  99: 'process',
};

/** It is held, too, but for what it consists of. */
const NOT_PUSHABLE = 1010;

export interface Trouble {
  readonly code: number | null;
  /** What the sentences of Explain do not say already. */
  readonly message: string | null;
  readonly step: Step;
}

const OPEN = ['Retrying', 'Waiting', 'Unknown', 'Failed'];

/** Null for an order that goes well. A failure that was overtaken by a later success is none any more. */
export function troubleOf({ When, LastTime, HowMuch }: Explained): Trouble | null {
  if (When.Reason === 'NoFrequency' || When.Reason === 'CalendarEnd')
    return { code: null, message: null, step: 'schedule' };
  const code = LastTime?.FailureCode ?? null;
  if (When.Reason === 'Held' && code !== NOT_PUSHABLE) return { code: 1009, message: null, step: 'differences' };
  if (LastTime !== null && OPEN.includes(LastTime.Result) && (code !== null || LastTime.Result === 'Unknown')) {
    if (LastTime.Result === 'Unknown') return { code, message: null, step: 'settle' };
    return { code, message: null, step: stepOf(code!) };
  }
  const [problem] = HowMuch.Problems;
  if (problem !== undefined) return { code: problem.Code, message: problem.Message, step: stepOf(problem.Code) };
  return When.Reason === 'Pending' ? { code: null, message: null, step: 'activate' } : null;
}

export const stepOf = (code: number): Step => STEPS[code] ?? 'process';
