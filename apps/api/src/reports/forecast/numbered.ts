/** Values numbered from 0, in the order in which they first came. */
export class Numbered<Value extends number | string> {
  readonly values: Value[] = [];
  private readonly numbers = new Map<Value, number>();

  numberOf(value: Value): number {
    const known = this.numbers.get(value);
    if (known !== undefined) return known;
    this.numbers.set(value, this.values.length);
    return this.values.push(value) - 1;
  }

  /** The rank of each number when the values are sorted. */
  ranks(): Int32Array {
    const sorted = sortedValues(this.values);
    const ranks = new Int32Array(sorted.length);
    sorted.forEach((value, rank) => (ranks[this.numbers.get(value)!] = rank));
    return ranks;
  }
}

/** Numbers are sorted by a typed array, without a callback: there may be many. */
function sortedValues<Value extends number | string>(values: readonly Value[]): readonly Value[] {
  const isNumbers = (all: readonly (number | string)[]): all is readonly number[] => typeof all[0] === 'number';
  return isNumbers(values) ? (Array.from(Float64Array.from(values).sort()) as Value[]) : [...values].sort();
}
