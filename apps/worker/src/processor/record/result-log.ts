import { Inject, Injectable } from '@nestjs/common';
import type { Logger } from '#libs/platform';
import { describeFailure } from '#libs/rules';
import { Metrics } from '../../metrics/metrics.js';
import { LOG } from '../../tokens.js';
import { WorkerEvents } from '../../worker-events.js';
import { isReal, type LeasedCycle } from '../cycle/cycle.js';
import type { Recorded } from '../cycle/recorded.js';

/** Batches up to this size are logged order by order. */
const FEW = 20;

const idsOf = ({ scheduledOrderId, cycle }: LeasedCycle) => ({ scheduledOrderId, cycle });

/** A year of a simulated shop would hide what happens to real orders. */
const levelOf = (cycle: LeasedCycle): 'info' | 'debug' => (isReal(cycle) ? 'info' : 'debug');

/** Counts and logs what becomes of cycles. */
@Injectable()
export class ResultLog {
  constructor(@Inject(LOG) log: Logger, metrics: Metrics, events: WorkerEvents) {
    events.on('claimed', ({ length }) => metrics.countClaimed(length));
    events.on('charged', (...charge) => metrics.gateways.charged(...charge));
    events.on('left', (recorded) => logResults(log, metrics, recorded));
  }
}

function logResults(log: Logger, metrics: Metrics, { completed, confirmed, failed, lost }: Recorded): void {
  const tell = (cycle: LeasedCycle, fields: object, sentence: string) =>
    log[levelOf(cycle)]({ ...idsOf(cycle), ...fields }, sentence);
  const real = completed.filter(({ cycle }) => isReal(cycle)).length;
  metrics.processed.inc(real);
  metrics.simulated.inc(completed.length - real);
  for (const { cycle, failure } of failed) if (failure && isReal(cycle)) metrics.failed.inc({ code: failure.code });
  if (real > FEW) log.info({ orders: real }, `${real} orders were processed.`);
  for (const { cycle, description } of completed) {
    if (real <= FEW || !isReal(cycle)) tell(cycle, { orderId: cycle.orderId }, description);
  }
  for (const { cycle, state, failure, error, wrongAccount } of failed) {
    if (wrongAccount === 'found') {
      const { siteId, paymentMethodType } = cycle;
      log.warn(
        { siteId, paymentMethodType },
        'A payment integration knows none of the latest customers: its credentials seem to be ' +
          "another account's, and its orders wait.",
      );
    }
    if (!failure) tell(cycle, { state }, 'The order was no longer active when its charge was about to be sent.');
    else if (error) tell(cycle, { state, code: failure.code }, describeFailure(failure));
  }
  for (const cycle of confirmed) tell(cycle, {}, 'The cycle is recorded already, by this worker or by another.');
  for (const cycle of lost) tell(cycle, {}, 'A request ended the cycle, or another worker leases it.');
}
