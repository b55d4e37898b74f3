import type { DeliveryState, WebhookAttempt } from '#libs/entities';
import { shownInstant } from '#libs/rules';

/** A webhook delivery as it stands now. */
export interface ShownDelivery {
  readonly type: string;
  readonly endpointId: number;
  readonly state: DeliveryState;
  readonly tries: number;
  /** The latest try. */
  readonly last: WebhookAttempt | null;
  readonly finishedMs: number | null;
  readonly nextAttemptMs: number | null;
  readonly url: string | null;
}

/** What was sent where, and how that went. Of the address only the host: the rest may hold a secret. */
export function deliverySentence(delivery: ShownDelivery): string {
  const { type, endpointId, url } = delivery;
  const host = url !== null && URL.canParse(url) ? ` (${new URL(url).host})` : '';
  return `${type} to WebhookEndpoint ${endpointId}${host} ${STATES[delivery.state](delivery)}`;
}

const STATES: Readonly<Record<DeliveryState, (delivery: ShownDelivery) => string>> = {
  Delivered: (delivery) => `was delivered${on(delivery.finishedMs)}, at try ${delivery.tries}.`,
  Exhausted: (delivery) =>
    `was given up${on(delivery.finishedMs)}, after ${counted(delivery.tries)}.${lastTry(delivery)} Resend sends it again.`,
  Waiting: (delivery) =>
    `is not delivered yet, after ${counted(delivery.tries)}.${lastTry(delivery)}${
      delivery.nextAttemptMs === null ? ' It waits for earlier events.' : ` It is tried${on(delivery.nextAttemptMs)}.`
    }`,
};

const on = (ms: number | null) => (ms === null ? '' : ` on ${shownInstant(new Date(ms))}`);

const counted = (tries: number) => (tries === 1 ? '1 try' : `${tries} tries`);

function lastTry({ last }: ShownDelivery): string {
  if (last === null) return '';
  return last.Status === null ? ` The last one had no answer.` : ` The last one was answered ${last.Status}.`;
}
