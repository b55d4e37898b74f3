import type { PipeTransform } from '@nestjs/common';
import { NotFound, Rejected } from '#libs/records';

const INT64 = /^[+-]?\d{1,19}$/;
const INT64_MIN = -(2n ** 63n);
const INT64_MAX = 2n ** 63n - 1n;

/** An int64 of the path (decisions.md §1). */
export class IdPipe implements PipeTransform<string, number> {
  constructor(private readonly name: string) {}

  /** @throws Rejected when it is none; NotFound beyond 2^53 − 1, where no record is. */
  transform(text: string): number {
    const value = INT64.test(text) ? BigInt(text) : undefined;
    if (value === undefined || value < INT64_MIN || value > INT64_MAX) {
      throw new Rejected([{ field: this.name, message: `"${text.slice(0, 60)}" in the path must be an int64.` }]);
    }
    const id = Number(value);
    if (!Number.isSafeInteger(id) || id < 1) throw new NotFound(`There is no record with the id ${text}.`);
    return id;
  }
}
