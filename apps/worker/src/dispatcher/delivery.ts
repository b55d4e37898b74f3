import type { OutboxRow } from '#libs/events';

/** A leased delivery as PostgreSQL gives it: with its endpoint, and with its event as long as that is kept. */
export interface DeliveryRow {
  readonly id: number;
  readonly lease: number;
  readonly webhookEndpointId: number;
  readonly eventId: string;
  readonly scheduledOrderId: number | null;
  readonly ordered: boolean;
  readonly tries: number;
  /** Null before the first sending. */
  readonly body: string | null;
  readonly sequence: number | null;
  readonly siteId: number | null;
  readonly type: OutboxRow['type'] | null;
  readonly logId: string | null;
  readonly occurredUtc: Date | null;
  readonly simulatedUtc: Date | null;
  readonly facts: OutboxRow['facts'] | null;
  readonly url: string;
  readonly payload: 'Thin' | 'Full';
  readonly secret: string;
  /** While it signs as well. */
  readonly previousSecret: string | null;
}

/** Whose bytes are settled. */
export type Frozen = DeliveryRow & { readonly body: string };

/** Its event, unless that was deleted. */
export function eventOf({ sequence, siteId, type, occurredUtc, facts, ...row }: DeliveryRow): OutboxRow | null {
  if (sequence === null || siteId === null || type === null || occurredUtc === null || facts === null) return null;
  return { ...row, sequence, siteId, type, occurredUtc, facts };
}
