import { activeTracing, type Attributes, type Ended, type OpenSpan, type SpanLink, type Tracing } from '#libs/platform';
import type { LeasedCycle } from './cycle.js';
import type { Charged } from './outcome.js';
import type { Recorded } from './recorded.js';

/*
 * Each cycle has a trace of its own, from the claim to the record. Most steps are of many cycles at once, whose
 * statements belong to all of them: the first of the cycles whose trace is recorded has them, and in the traces of the
 * others the step links to it (docs/operations.md, Traces).
 */

/** A step of several cycles. */
interface Step {
  readonly name: string;
  readonly startedAt: number;
  readonly endedAt: number;
  readonly operations: readonly Ended[];
  readonly cycles: number;
  /** The step in the trace that has its operations, once there is one. */
  holder: SpanLink | null;
}

const spans = new WeakMap<LeasedCycle, OpenSpan>();
/** Claims whose spans are made when something happens to the cycle: not every claimed cycle is taken. */
const claims = new WeakMap<LeasedCycle, Step>();

/** Runs a claim. What claims nothing leaves no trace. */
export function tracedClaim(work: () => Promise<LeasedCycle[]>): Promise<LeasedCycle[]> {
  const tracing = activeTracing();
  return tracing === null ? work() : claimed(tracing, work);
}

/** Runs a step of these cycles. */
export function tracedStep<T>(name: string, cycles: readonly LeasedCycle[], work: () => Promise<T>): Promise<T> {
  const tracing = activeTracing();
  return tracing === null ? work() : stepped(tracing, name, cycles, work);
}

/** Runs what is done for one cycle alone; the statements and the gateway's calls of it are its children. */
export function tracedCharge(name: string, cycle: LeasedCycle, work: () => Promise<Charged>): Promise<Charged> {
  const tracing = activeTracing();
  return tracing === null ? work() : charged(spanOf(tracing, cycle), name, work);
}

/** A part of a step. */
export function tracedPart<T>(name: string, work: () => Promise<T>): Promise<T> {
  const tracing = activeTracing();
  return tracing === null ? work() : tracing.operation(() => ({ name, kind: 'internal', attributes: {} }), work);
}

/** Ends the traces of cycles that this worker no longer has. */
export function traceEnd({ completed, confirmed, failed, lost }: Recorded, cycles: readonly LeasedCycle[]): void {
  if (activeTracing() === null) return;
  for (const { cycle } of completed) end(cycle, { 'cycle.outcome': 'completed' });
  for (const cycle of confirmed) end(cycle, { 'cycle.outcome': 'completed' });
  for (const { cycle, state, failure } of failed) {
    const isFault = failure?.name === 'Unknown' || failure?.name === 'GatewayCommunicationFailed';
    const attributes = { 'cycle.outcome': state, 'cycle.failure': failure?.name };
    end(cycle, attributes, isFault ? failure.name : undefined);
  }
  for (const cycle of lost) end(cycle, { 'cycle.outcome': 'lost' });
  for (const cycle of cycles) end(cycle, { 'cycle.outcome': 'released' });
}

function end(cycle: LeasedCycle, attributes: Attributes, errorType?: string): void {
  const span = spans.get(cycle);
  if (span === undefined) return;
  spans.delete(cycle);
  span.end({ attributes: { ...attributes, 'cycle.attempt': cycle.attempt }, errorType });
}

async function claimed(tracing: Tracing, work: () => Promise<LeasedCycle[]>): Promise<LeasedCycle[]> {
  const operations: Ended[] = [];
  const startedAt = tracing.now();
  const cycles = await tracing.collect(operations, work);
  const times = { startedAt, endedAt: tracing.now() };
  const step: Step = { name: 'claim', ...times, operations, cycles: cycles.length, holder: null };
  for (const cycle of cycles) claims.set(cycle, step);
  return cycles;
}

async function stepped<T>(
  tracing: Tracing,
  name: string,
  cycles: readonly LeasedCycle[],
  work: () => Promise<T>,
): Promise<T> {
  const parents = cycles.map((cycle) => spanOf(tracing, cycle));
  const operations: Ended[] = [];
  const startedAt = tracing.now();
  try {
    return await tracing.collect(operations, work);
  } finally {
    const times = { startedAt, endedAt: tracing.now() };
    const step: Step = { name, ...times, operations, cycles: cycles.length, holder: null };
    for (const parent of parents) addStep(parent, step);
  }
}

/** Recording ends the cycles' spans before it ends itself; a span may have children all the same. */
function addStep(parent: OpenSpan, step: Step): void {
  if (!parent.isRecorded) return;
  const { name, startedAt, endedAt, operations, cycles } = step;
  const links = step.holder === null ? [] : [step.holder];
  const span = parent.child(name, { startedAt, links, attributes: { 'batch.cycles': cycles } });
  if (step.holder === null) for (const operation of operations) span.add(operation);
  step.holder ??= span.link;
  span.end({ endedAt });
}

async function charged(parent: OpenSpan, name: string, work: () => Promise<Charged>): Promise<Charged> {
  if (!parent.isRecorded) return work();
  const span = parent.child(name);
  try {
    const charge = await span.within(work);
    const { outcome } = charge;
    const gateway =
      outcome.kind === 'charge' || outcome.kind === 'inDoubt' ? { 'gateway.outcome': outcome.answer.kind } : {};
    span.end({ attributes: { 'charge.outcome': outcome.kind, ...gateway } });
    return charge;
  } catch (error) {
    span.end({ error });
    throw error;
  }
}

function spanOf(tracing: Tracing, cycle: LeasedCycle): OpenSpan {
  const known = spans.get(cycle);
  if (known !== undefined) return known;
  const claim = claims.get(cycle);
  const attributes = {
    'scheduled_order.id': cycle.scheduledOrderId,
    'site.id': cycle.siteId,
    'cycle.number': cycle.cycle,
    'cycle.due_utc': cycle.dueUtc.toISOString(),
    'order.id': cycle.orderId,
    ...(cycle.presentUtc === null ? {} : { 'site.simulated': true }),
  };
  const { scheduledOrderId } = cycle;
  const span = tracing.begin('process order', {
    scheduledOrderId,
    attributes,
    ...(claim ? { startedAt: claim.startedAt } : {}),
  });
  spans.set(cycle, span);
  if (claim) addStep(span, claim);
  return span;
}
