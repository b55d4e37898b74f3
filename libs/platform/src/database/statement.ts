import { createHash } from 'node:crypto';

/** Hexadecimal digits of the hash. With the prefix, the name is far below PostgreSQL's limit of 63 characters. */
const DIGITS = 32;

/**
 * A statement that a connection plans once, under a name. The name is made only from the text: behind a pooler,
 * processes and versions share connections, and one name must never mean two texts. There is no other way to make one.
 */
export class Statement {
  readonly #isHashed = true;

  private constructor(
    readonly name: string,
    readonly text: string,
  ) {}

  /** Hashes the text. Make a statement once per text and keep it; do not make one per request. */
  static of(text: string): Statement {
    return new Statement(`s_${createHash('sha256').update(text).digest('hex').slice(0, DIGITS)}`, text);
  }

  static isStatement(value: object): value is Statement {
    return #isHashed in value;
  }
}
