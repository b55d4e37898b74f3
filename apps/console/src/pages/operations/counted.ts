/** A figure that the API counts up to a bound: where there may be more, it says so. */
export const counted = (value: number, name: string, more: readonly string[]): string =>
  `${value.toLocaleString('en')}${more.includes(name) ? ' or more' : ''}`;
