import { type OutwardType, ownFactsOf } from './event-types.js';

/** A numbered row of the outbox, as PostgreSQL gives it. */
export interface OutboxRow {
  readonly sequence: string;
  readonly event_id: string;
  readonly site_id: string;
  readonly scheduled_order_id: string | null;
  readonly type: OutwardType;
  readonly log_id: string | null;
  readonly occurred_utc: Date;
  /** By the clock of a simulated site; null: it is of a real one. */
  readonly simulated_utc: Date | null;
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
    Sequence: Number(row.sequence),
    Id: outwardId(row.event_id),
    Type: type,
    TimestampUtc: (row.simulated_utc ?? row.occurred_utc).toISOString(),
    Data: {
      Sequence: Number(row.sequence),
      SiteId: Number(row.site_id),
      ScheduledOrderId: row.scheduled_order_id === null ? null : Number(row.scheduled_order_id),
      Cycle: fact('Cycle'),
      OrderId: fact('OrderId'),
      Amount: fact('Amount'),
      CurrencyIso: fact('CurrencyIso'),
      Simulated: row.simulated_utc !== null,
      ...own,
    },
  };
}
