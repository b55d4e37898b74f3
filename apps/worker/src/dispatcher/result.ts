import type { DeliveryState, WebhookAttempt } from '#libs/entities';
import { type OutboundAnswer, retryAfterMs } from '#libs/platform';
import { LONGEST_RETRY_AFTER_MS, nextTryInMs } from './retry-schedule.js';

/** What a try has shown. */
export interface Result {
  readonly state: DeliveryState;
  /** Whether anything was sent: else no try is used up, and it says nothing about the endpoint. */
  readonly isSent: boolean;
  /** Until the next try; null when there is none. */
  readonly nextTryMs: number | null;
  /** How long the endpoint is left alone, as it asks or because nothing can be signed; null when it need not be. */
  readonly retryAfterMs: number | null;
  /** It answered 410: nothing more may be sent. */
  readonly isGone: boolean;
  readonly attempt: WebhookAttempt;
}

const GONE = 410;
const WITHOUT_SECRET_MS = 15 * 60_000;
const ASKS_TO_WAIT: readonly (number | null)[] = [429, 503];

/** @param tries that were used up before. @param startedUtc of this try. */
export function resultOf(answer: OutboundAnswer, tries: number, startedUtc: Date): Result {
  const { status, milliseconds, excerpt, error, headers } = answer;
  const attempt = {
    StartedUtc: startedUtc.toISOString(),
    Milliseconds: milliseconds,
    Status: status,
    Error: error ?? (isSuccess(status) ? null : refusal(status!)),
    Reply: excerpt,
  };
  if (error === null && isSuccess(status))
    return { state: 'Delivered', isSent: true, nextTryMs: null, retryAfterMs: null, isGone: false, attempt };
  const requestedMs = ASKS_TO_WAIT.includes(status)
    ? retryAfterMs(headers['retry-after'], headers.date, startedUtc.getTime() + milliseconds)
    : null;
  const waitMs = requestedMs === null ? null : Math.min(requestedMs, LONGEST_RETRY_AFTER_MS);
  const nextMs = nextTryInMs(tries + 1, Math.random());
  return {
    state: nextMs === null ? 'Exhausted' : 'Waiting',
    isSent: true,
    nextTryMs: nextMs === null ? null : Math.max(nextMs, waitMs ?? 0),
    retryAfterMs: waitMs,
    isGone: status === GONE,
    attempt,
  };
}

/** Its event was deleted before it was sent for the first time. */
export function notKept(startedUtc: Date): Result {
  const attempt = unsent(startedUtc, 'The event is no longer kept.');
  return { state: 'Exhausted', isSent: false, nextTryMs: null, retryAfterMs: null, isGone: false, attempt };
}

/** Its endpoint's secret cannot be decrypted: nothing is sent to it for a while. */
export function notSigned(startedUtc: Date): Result {
  const attempt = unsent(startedUtc, 'The secret of the endpoint cannot be decrypted: nothing was sent.');
  const waitMs = WITHOUT_SECRET_MS;
  return { state: 'Waiting', isSent: false, nextTryMs: waitMs, retryAfterMs: waitMs, isGone: false, attempt };
}

const unsent = (startedUtc: Date, Error: string): WebhookAttempt => ({
  StartedUtc: startedUtc.toISOString(),
  Milliseconds: 0,
  Status: null,
  Error,
  Reply: null,
});

const isSuccess = (status: number | null) => status !== null && status >= 200 && status < 300;

const refusal = (status: number) =>
  status >= 300 && status < 400
    ? `The reply redirects (${status}). Redirects are not followed: enter the address that it leads to.`
    : `The reply is ${status}: only 2xx is success.`;
