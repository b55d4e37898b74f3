import { Injectable } from '@nestjs/common';
import { readHolding } from '#libs/ledger';
import { type Caller, Database, NotFound } from '#libs/records';
import { ScheduledOrdersService } from '../../scheduled-orders/scheduled-orders.service.js';
import { heldWords } from '../held.js';
import { type ExplainedCycle, explainedCycle, explainedJson } from './explained-cycle.js';
import { type PastCycleRow, pastCycleSql } from './past-cycle.js';

/** Why past charges were what they were. */
@Injectable()
export class PastExplainService {
  constructor(
    private readonly database: Database,
    private readonly orders: ScheduledOrdersService,
  ) {}

  /** @throws NotFound when the order has no such cycle. */
  async explain(caller: Caller, id: number, cycle: number): Promise<string> {
    const row = await this.orders.selectOne<PastCycleRow>(caller, id, {
      name: 'pastCycle',
      columns: pastCycleSql('$3::bigint'),
      values: [cycle],
    });
    const explained = await explainedCycle(this.database, row);
    if (explained === null) throw new NotFound(`ScheduledOrder ${id} has no cycle ${cycle}.`);
    return explainedJson(row.cycle?.state === 'Waiting' ? await this.withHold(explained, id, row) : explained);
  }

  /** A cycle that is held waits for something else than the others (decisions.md §9, code 1009). */
  private async withHold(explained: ExplainedCycle, id: number, { siteId }: PastCycleRow): Promise<ExplainedCycle> {
    const held = heldWords(await readHolding(this.database, { id, siteId }), true);
    return held === null ? explained : { ...explained, because: `The cycle is Waiting. ${held}` };
  }
}
