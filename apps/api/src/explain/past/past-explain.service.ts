import { Injectable } from '@nestjs/common';
import { type Caller, Database, NotFound } from '#libs/records';
import { ScheduledOrdersService } from '../../scheduled-orders/scheduled-orders.module.js';
import { explainedCycle, explainedJson } from './explained-cycle.js';
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
    return explainedJson(explained);
  }
}
