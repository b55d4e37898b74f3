import type { OutboxRow } from '#libs/events';

/** A leased delivery as PostgreSQL gives it: with its endpoint, and with its event as long as that is kept. */
export interface DeliveryRow {
  readonly id: string;
  readonly lease: string;
  readonly webhook_endpoint_id: string;
  readonly event_id: string;
  readonly scheduled_order_id: string | null;
  readonly ordered: boolean;
  readonly tries: string;
  /** Null before the first sending. */
  readonly body: string | null;
  readonly sequence: string | null;
  readonly site_id: string | null;
  readonly type: OutboxRow['type'] | null;
  readonly log_id: string | null;
  readonly occurred_utc: Date | null;
  readonly simulated_utc: Date | null;
  readonly facts: OutboxRow['facts'] | null;
  readonly url: string;
  readonly payload: 'Thin' | 'Full';
  readonly secret: string;
  /** While it signs as well. */
  readonly previous_secret: string | null;
}

/** Whose bytes are settled. */
export type Frozen = DeliveryRow & { readonly body: string };

/** Its event, unless that was deleted. */
export function eventOf({ sequence, site_id, type, occurred_utc, facts, ...row }: DeliveryRow): OutboxRow | null {
  if (sequence === null || site_id === null || type === null || occurred_utc === null || facts === null) return null;
  return { ...row, sequence, site_id, type, occurred_utc, facts };
}
