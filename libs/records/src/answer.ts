import type { RecordJson } from './lists/record-pieces.js';

/** The answer to a POST: the record's JSON, and the path of a new record. */
export class Answer {
  constructor(
    readonly json: RecordJson | null,
    readonly location: string | null = null,
    /** The answer was given before, to an earlier request with the same Idempotency-Key. */
    readonly replayed = false,
  ) {}
}

/** A POST in progress: its status and path, and the caller's Idempotency-Key if there is one (decisions.md §2). */
export interface Idempotency {
  readonly status: number;
  /** The path before the new record's id; null when the POST creates nothing. */
  readonly collection: string | null;
  readonly key: IdempotentRequest | null;
}

export interface IdempotentRequest {
  /** `account:<id>`, `customer:<id>`, or `key:<id>` of an API key. */
  readonly owner: string;
  readonly route: string;
  readonly key: string;
  /** SHA-256 of the body. */
  readonly bodyHash: Buffer;
}

/** The created record: enough for the answer, and for its repetition. */
export interface Created {
  readonly id: number;
  readonly json: RecordJson;
}
