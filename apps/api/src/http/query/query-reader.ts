import { createParamDecorator } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { type Fault, type Parameters, Rejected } from '#libs/records';
import { instantOf } from '../fields/index.js';
import { shownParameter } from './query-parameter.js';

/** From an instant to before another; null where there is no bound. */
export interface InstantRange {
  readonly from: Date | null;
  readonly to: Date | null;
}

export const isUnbounded = ({ from, to }: InstantRange): boolean => from === null && to === null;

/** SQL: whether an instant is within a range that has a bound. @param key SQL: the instant. */
export function withinSql(key: string, { from, to }: InstantRange, parameters: Parameters): string {
  const bounds = [from === null ? null : (['>=', from] as const), to === null ? null : (['<', to] as const)];
  return bounds
    .filter((bound) => bound !== null)
    .map(([operator, instant]) => `${key} ${operator} ${parameters.add(instant.toISOString(), 'timestamptz')}`)
    .join(' AND ');
}

/** The parameters of a query, as they were sent. */
export type Query = Readonly<Record<string, unknown>>;

export const sentQuery = createParamDecorator(
  (_: unknown, context) => context.switchToHttp().getRequest<FastifyRequest>().query as Query,
);

/** Reads the parameters of a query; null where one was not sent. It collects every fault. */
export class QueryReader {
  private readonly faults: Fault[] = [];

  constructor(private readonly query: Query) {}

  has(name: string): boolean {
    return this.query[name] !== undefined;
  }

  refuse(field: string, message: string): null {
    this.faults.push({ field, message });
    return null;
  }

  integer(name: string, min: number, max: number): number | null {
    const sent = this.query[name];
    if (sent === undefined) return null;
    const value = typeof sent === 'string' && /^\d{1,16}$/.test(sent) ? Number(sent) : Number.NaN;
    if (value >= min && value <= max) return value;
    return this.refuse(name, `${shownParameter(sent)} must be an integer from ${min} to ${max}.`);
  }

  id(name: string): number | null {
    return this.integer(name, 1, Number.MAX_SAFE_INTEGER);
  }

  /** `cursor` of a list that goes on below an id; null: from its beginning. */
  belowId(): number | null {
    const sent = this.query.cursor;
    if (sent === undefined) return null;
    if (typeof sent === 'string' && /^\d{1,15}$/.test(sent)) return Number(sent);
    return this.refuse('cursor', `${shownParameter(sent)} is none: take it from the Link header.`);
  }

  oneOf<Word extends string>(name: string, words: readonly Word[]): Word | null {
    const sent = this.query[name];
    if (sent === undefined) return null;
    const word = words.find((one) => one === sent);
    return word ?? this.refuse(name, `${shownParameter(sent)} must be one of ${words.join(', ')}.`);
  }

  /** A day is its first moment in UTC. */
  instant(name: string): Date | null {
    const sent = this.query[name];
    if (sent === undefined) return null;
    const instant = typeof sent === 'string' ? instantOf(sent) : undefined;
    const form = 'must be a day or an ISO 8601 time of the years 1000 to 9999, such as 2026-01-31T09:00:00Z.';
    return instant ?? this.refuse(name, `${shownParameter(sent)} ${form}`);
  }

  /** Inclusive, and exclusive; either may be left out. */
  instants(fromName: string, toName: string): InstantRange {
    const [from, to] = [this.instant(fromName), this.instant(toName)];
    if (from !== null && to !== null && from >= to)
      this.refuse(toName, `${to.toISOString()} must be later than ${fromName}, ${from.toISOString()}.`);
    return { from, to };
  }

  text(name: string, maxLength: number): string | null {
    const sent = this.query[name];
    if (sent === undefined) return null;
    const length = typeof sent === 'string' && !sent.includes('\u0000') ? [...sent].length : 0;
    if (length > 0 && length <= maxLength) return sent as string;
    return this.refuse(name, `${shownParameter(sent)} must be one text of 1 to ${maxLength} characters, without NUL.`);
  }

  /** @throws Rejected with every fault that was found. */
  end(): void {
    if (this.faults.length > 0) throw new Rejected(this.faults);
  }
}
