import { createHash } from 'node:crypto';

/** Hexadecimal digits of the hash: with the prefix far below PostgreSQL's 63 characters. */
const DIGITS = 32;

/**
 * A statement that a connection plans once, under a name. The name is made from the text and from nothing else: behind a pooler, processes
 * and versions share connections, and the same name must never stand for another text there. Nobody can make one in another way.
 */
export class Statement {
  readonly #isHashed = true;

  private constructor(
    readonly name: string,
    readonly text: string,
  ) {}

  /** Hashes the text: made once per text and kept, never per request. */
  static of(text: string): Statement {
    return new Statement(`s_${createHash('sha256').update(text).digest('hex').slice(0, DIGITS)}`, text);
  }

  static isStatement(value: object): value is Statement {
    return #isHashed in value;
  }
}
