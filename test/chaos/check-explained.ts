import { NO_VERSION, UNEXPLAINED } from '../../apps/api/src/explain/past/because.js';
import { explainedCompleted } from '../support/api/explained.js';
import type { TestDatabase } from '../support/database.js';
import type { Find } from './check.js';

/** So many cycles are calculated again, of all parts of the run: each takes a few statements. */
const MOST = 500;

/**
 * A completed cycle, calculated again with the prices of its time, is what was recorded; or the answer names a reason
 * that there was. That the reason is not known is none: every worker of the run keeps versions.
 */
export async function checkExplained(database: TestDatabase, find: Find): Promise<void> {
  const explained = await explainedCompleted(database, MOST);
  for (const { scheduledOrderId, cycle, isEqual, because } of explained) {
    const isKnown =
      isEqual === true || ![UNEXPLAINED, NO_VERSION].some((reason) => because?.includes(reason) !== false);
    if (!isKnown) find('other', scheduledOrderId, `the amounts of cycle ${cycle} are not explained: ${because}`);
  }
  const equal = explained.filter(({ isEqual }) => isEqual === true).length;
  if (equal < explained.length / 2)
    find('other', 0, `of ${explained.length} cycles only ${equal} are calculated again as they were recorded`);
}
