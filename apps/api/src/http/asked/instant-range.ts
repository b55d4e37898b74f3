import type { Parameters } from '#libs/records';

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
