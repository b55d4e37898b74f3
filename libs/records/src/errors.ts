export { Rejected, type Fault } from '#libs/rules';

/** The caller may not touch this record (contract.md, Authentication 7). */
export class Forbidden extends Error {}

/** In a session this needs a password that was entered a moment ago (decisions.md §3, Sessions). */
export class PasswordNeeded extends Forbidden {
  constructor() {
    super(
      'In a session this needs the password, entered within the last 10 minutes: POST /api/Session/Confirm, then send the request again.',
    );
  }
}

/** No record has this id. */
export class NotFound extends Error {}

/** The record's state does not allow this request: read the record again and decide again. */
export class Conflict extends Error {}

/** An Idempotency-Key came with another body than before. */
export class KeyReused extends Error {}
