import { causeOf, type Logger } from '#libs/platform';

/** A cause that lasts is told again after so long. */
const AGAIN_MS = 600_000;

/**
 * Tells why the database makes requests fail: SQLSTATE and message of its error, once for each SQLSTATE, not for each
 * request.
 */
export class DatabaseCauses {
  private readonly toldAt = new Map<string, number>();

  constructor(private readonly log: Logger) {}

  tell(error: unknown): void {
    const cause = causeOf(error);
    const code = cause.code ?? 'none';
    const now = performance.now();
    if (now - (this.toldAt.get(code) ?? -Infinity) < AGAIN_MS) return;
    this.toldAt.set(code, now);
    this.log.warn(cause, 'Requests are answered 503, because the database refuses or delays them.');
  }
}
