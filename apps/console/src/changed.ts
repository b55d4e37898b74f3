/**
 * What is sent of a record that exists: only what differs from how it was read, for somebody else may have changed the
 * rest meanwhile.
 */
export const changedIn = <T extends object>(before: T, now: T): Partial<T> =>
  Object.fromEntries(
    Object.entries(now).filter(([name, value]) => JSON.stringify(value) !== JSON.stringify(before[name as keyof T])),
  ) as Partial<T>;

export const isEmpty = (changes: object): boolean => Object.keys(changes).length === 0;
