export { Rejected, type Fault } from '#libs/rules';

/** The caller may not touch this record (contract.md, Authentication 7). */
export class Forbidden extends Error {}

/** No record has this id. */
export class NotFound extends Error {}

/** The record's state does not allow this request: read the record again and decide again. */
export class Conflict extends Error {}

/** An Idempotency-Key came with another body than before. */
export class KeyReused extends Error {}
