import type { RecordJson } from './record-pieces.js';

/** What a POST answers: the record's JSON, and where a new record is to be found. */
export class Answer {
  constructor(
    readonly json: RecordJson | null,
    readonly location: string | null = null,
    /** Given before, to an earlier request with the same Idempotency-Key. */
    readonly replayed = false,
  ) {}
}

/** A POST on its way: how it will be answered, and the caller's Idempotency-Key if there is one (decisions.md §2). */
export interface Idempotency {
  readonly status: number;
  /** The path that the new record's id is appended to; null when the POST creates nothing. */
  readonly collection: string | null;
  readonly key: IdempotentRequest | null;
}

export interface IdempotentRequest {
  /** `account:<id>` or `customer:<id>`. */
  readonly owner: string;
  readonly route: string;
  readonly key: string;
  /** SHA-256 of the body. */
  readonly bodyHash: Buffer;
}

/** What a create made: enough to answer, and to answer again. */
export interface Created {
  readonly id: number;
  readonly json: RecordJson;
}
