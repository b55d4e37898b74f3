import { type OutwardType, ownFactsOf } from './event-types.js';

/** A numbered row of the outbox, as PostgreSQL gives it. */
export interface OutboxRow {
  readonly sequence: number;
  readonly eventId: string;
  readonly siteId: number;
  readonly scheduledOrderId: number | null;
  readonly type: OutwardType;
  readonly logId: string | null;
  readonly occurredUtc: Date;
  /** By the clock of a simulated site; null: it is of a real one. */
  readonly simulatedUtc: Date | null;
  readonly facts: Readonly<Record<string, unknown>>;
}

/** The columns of `OutboxRow`. */
export const outboxColumns = (alias: string): string =>
  ['sequence', 'event_id', 'site_id', 'scheduled_order_id', 'type', 'log_id', 'occurred_utc', 'simulated_utc', 'facts']
    .map((column) => `${alias}.${column}`)
    .join(', ');

/** An event as it is sent and listed. */
export interface OutwardEvent {
  readonly Sequence: number;
  /** `evt_` and a UUIDv7: the same in the feed and in every delivery. */
  readonly Id: string;
  readonly Type: OutwardType;
  readonly TimestampUtc: string;
  /** The facts of the type: all of them, null where one has no value. */
  readonly Data: Readonly<Record<string, unknown>>;
}

/** The id of an event as it is sent and listed. */
export const outwardId = (uuid: string): string => `evt_${uuid}`;

export function outwardEvent(row: OutboxRow): OutwardEvent {
  const { facts, type } = row;
  const fact = (name: string): unknown => facts[name] ?? null;
  const own = Object.fromEntries(ownFactsOf(type).map((name) => [name, fact(name)]));
  return {
    Sequence: row.sequence,
    Id: outwardId(row.eventId),
    Type: type,
    TimestampUtc: (row.simulatedUtc ?? row.occurredUtc).toISOString(),
    Data: {
      Sequence: row.sequence,
      SiteId: row.siteId,
      ScheduledOrderId: row.scheduledOrderId,
      Cycle: fact('Cycle'),
      OrderId: fact('OrderId'),
      Amount: fact('Amount'),
      CurrencyIso: fact('CurrencyIso'),
      Simulated: row.simulatedUtc !== null,
      ...own,
    },
  };
}
