import { Injectable } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import type { PushState } from '#libs/entities';
import {
  acceptPush,
  allCyclesSql,
  countPushes,
  linkPush,
  type PushKey,
  pushOrOffSql,
  pushView,
  readPush,
  readPushCells,
  readPushes,
  retryPush,
  type WantedPushes,
} from '#libs/ledger';
import { csvHead, csvLines, Statement, type Transaction } from '#libs/platform';
import {
  type Answer,
  assertReach,
  assertSiteInPath,
  type Caller,
  Database,
  type Idempotency,
  isReached,
  MOST_COUNTED,
  NotFound,
} from '#libs/records';
import { Lists, nextPath } from '../http/lists/lists.js';
import { csvPieces } from '../http/query/csv.js';
import { describeTable } from '../http/query/index.js';
import { ScheduledOrdersService } from '../scheduled-orders/scheduled-orders.service.js';
import type { PushesRequest } from './pushes-query.js';

const PAGE = 100;

/** pk_orders, uq_order_pushes_order. $1 Order, $2 reach. */
const OF_ORDER = Statement.named(`SELECT ${isReached('o.site_id', '$2::bigint[]')} AS reached,
  ${pushOrOffSql({ siteId: 'o.site_id', scheduledOrderId: 'o.scheduled_order_id', cycle: 'o.cycle', orderId: 'o.id', total: 'o.total' })} AS json
FROM orders o WHERE o.id = $1 AND o.deleted_utc IS NULL`);

/**
 * SQL, of the scheduled order `x`: whether it has the cycle, and what is pushed of the Order that it wrote. $3 cycle.
 * pk_processing_cycles, uq_orders_cycle, uq_order_pushes_order.
 */
const OF_CYCLE = `EXISTS (SELECT FROM ${allCyclesSql('x')} c WHERE c.cycle = $3::bigint) AS is_there,
  (SELECT ${pushOrOffSql({ siteId: 'x.site_id', scheduledOrderId: 'x.id', cycle: '$3::bigint', orderId: 'o.id', total: 'o.total' })}
    FROM (SELECT) one LEFT JOIN orders o ON o.scheduled_order_id = x.id AND o.cycle = $3::bigint) AS json`;

/** What a person decides of a push. */
export type PushRequest = (tx: Transaction, key: PushKey) => Promise<void>;

export const RETRY: PushRequest = retryPush;
export const ACCEPT: PushRequest = acceptPush;
export const linkTo =
  (shopOrderId: string): PushRequest =>
  (tx, key) =>
    linkPush(tx, key, shopOrderId);

/** Orders on their way into the shops of their sites. */
@Injectable()
export class PushesService {
  constructor(
    private readonly database: Database,
    private readonly orders: ScheduledOrdersService,
    private readonly lists: Lists,
  ) {}

  /** @throws NotFound, Forbidden. */
  async ofOrder(caller: Caller, orderId: number): Promise<string> {
    const [row] = await this.database.read<{ reached: boolean; json: string }>(OF_ORDER, [orderId, caller.reach]);
    if (row === undefined) throw new NotFound(`There is no Order ${orderId}.`);
    await assertReach(this.database, caller, row, `Order ${orderId}`);
    return row.json;
  }

  /** @throws NotFound, Forbidden as for the scheduled order; NotFound where it has no such cycle. */
  async ofCycle(caller: Caller, { scheduledOrderId, cycle }: PushKey): Promise<string> {
    const selection = { name: 'push', columns: OF_CYCLE, values: [cycle] };
    const { isThere, json } = await this.orders.selectOne<{ isThere: boolean; json: string }>(
      caller,
      scheduledOrderId,
      selection,
    );
    if (!isThere) throw new NotFound(`ScheduledOrder ${scheduledOrderId} has no cycle ${cycle}.`);
    return json;
  }

  /** @throws as `ofCycle`, and as the request does: NotFound where nothing is pushed, Conflict. */
  async decide(caller: Caller, key: PushKey, request: PushRequest, once: Idempotency): Promise<Answer> {
    await this.ofCycle(caller, key);
    return this.database.once(once, async (tx) => {
      await request(tx, key);
      return { id: key.scheduledOrderId, json: await readPush(tx, key) };
    });
  }

  /** An array, or a table: all of it, or a page where a cursor is sent. @throws NotFound, Forbidden. */
  async list(caller: Caller, siteId: number, { isCsv, reply, ...query }: PushesRequest) {
    await assertSiteInPath(this.database, caller, siteId);
    const wanted = { siteId, state: query.state, before: query.before };
    if (isCsv) return this.table(caller, wanted, reply);
    const rows = await this.lists.inTurn(caller, () => readPushes(this.database.forList(), wanted, PAGE + 1));
    const shown = rows.slice(0, PAGE);
    if (rows.length > PAGE) linkNext(reply, shown.at(-1)!.orderId);
    return `[${shown.map(({ json }) => json).join(',')}]`;
  }

  /** @throws NotFound, Forbidden. */
  async count(caller: Caller, siteId: number, state: PushState | null): Promise<string> {
    await assertSiteInPath(this.database, caller, siteId);
    const count = await this.lists.inTurn(caller, () => countPushes(this.database.forList(), { siteId, state }));
    return JSON.stringify({ Count: Math.min(count, MOST_COUNTED), IsMore: count > MOST_COUNTED });
  }

  private async table(caller: Caller, wanted: WantedPushes, reply: FastifyReply) {
    const read = async (before: number | null) => {
      const found = await readPushCells(this.database.forList(), { ...wanted, before }, PAGE + 1);
      const shown = found.slice(0, PAGE);
      const last = found.length > PAGE ? shown.at(-1)!.orderId : null;
      return { rows: shown.map(({ cells }) => cells), last: last === null ? null : { value: last, id: last } };
    };
    const first = await this.lists.inTurn(caller, () => read(wanted.before));
    const begin = csvHead(pushView.columns) + csvLines(first.rows);
    describeTable(reply, 'Pushes');
    if (first.last === null) return begin;
    if (wanted.before !== null) {
      linkNext(reply, first.last.id);
      return begin;
    }
    return this.lists.stream(reply, (inTurn) => csvPieces(begin, first.last!, ({ id }) => inTurn(() => read(id))));
  }
}

const linkNext = (reply: FastifyReply, orderId: number): void =>
  void reply.header('link', `<${nextPath(reply.request.url, orderId)}>; rel="next"`);
