import {
  type Context,
  context,
  createContextKey,
  defaultTextMapGetter,
  type Link,
  ROOT_CONTEXT,
  type Span,
  SpanKind,
  SpanStatusCode,
  type TextMapPropagator,
  trace,
  TraceFlags,
  type Tracer,
} from '@opentelemetry/api';
import type { Ended, OpenSpan, Operation, OperationAnswer, SpanEnd, SpanLink, SpanStart, Tracing } from '../tracing.js';
import { markFailed } from './faults.js';
import { WallClock } from './wall-clock.js';

const COLLECTED = createContextKey('operations without a span');
const KINDS = { client: SpanKind.CLIENT, internal: SpanKind.INTERNAL };

/**
 * The traces of a process, over the packages of OpenTelemetry. Spans are made with both of their times, often after
 * they have ended.
 */
export class OtelTracing implements Tracing {
  readonly clock = new WallClock();
  private readonly ofOrders = new Map<number, OtelSpan>();

  constructor(
    readonly tracer: Tracer,
    private readonly propagator: TextMapPropagator,
  ) {}

  now(): number {
    return this.clock.now();
  }

  begin(name: string, start: SpanStart & { readonly scheduledOrderId?: number }): OpenSpan {
    const span = this.open(name, SpanKind.INTERNAL, ROOT_CONTEXT, start);
    const { scheduledOrderId } = start;
    if (scheduledOrderId !== undefined && span.isRecorded) {
      this.ofOrders.set(scheduledOrderId, span);
      span.onEnd = () => void this.ofOrders.delete(scheduledOrderId);
    }
    return span;
  }

  answer(name: string, headers: Readonly<Record<string, string | string[] | undefined>>): OpenSpan {
    const from = this.propagator.extract(ROOT_CONTEXT, headers, defaultTextMapGetter);
    return this.open(name, SpanKind.SERVER, from, {});
  }

  collect<T>(into: Ended[], work: () => T): T {
    return context.with(ROOT_CONTEXT.setValue(COLLECTED, into), work);
  }

  async operation<T>(
    describe: () => Operation,
    work: () => Promise<T>,
    answerOf?: (value: T) => OperationAnswer,
  ): Promise<T> {
    const within = context.active();
    const collected = within.getValue(COLLECTED) as Ended[] | undefined;
    if (collected === undefined && trace.getSpan(within)?.isRecording() !== true) return work();
    const startedAt = this.now();
    const ended = (answer: OperationAnswer, thrown: { readonly error?: unknown }) => {
      const operation = { ...describe(), startedAt, endedAt: this.now(), answer, ...thrown };
      if (collected) collected.push(operation);
      else this.add(operation, within);
    };
    try {
      const value = await work();
      ended(answerOf?.(value) ?? {}, {});
      return value;
    } catch (error) {
      ended({}, { error });
      throw error;
    }
  }

  thrown(error: unknown): void {
    const span = trace.getActiveSpan();
    if (span?.isRecording() === true) markFailed(span, error);
  }

  logFields(line: object): Readonly<Record<string, string>> {
    const { scheduledOrderId } = line as { scheduledOrderId?: unknown };
    const ofOrder = typeof scheduledOrderId === 'number' ? this.ofOrders.get(scheduledOrderId)?.link : undefined;
    const link = ofOrder ?? trace.getActiveSpan()?.spanContext();
    return link === undefined ? {} : { trace_id: link.traceId, span_id: link.spanId };
  }

  open(
    name: string,
    kind: SpanKind,
    within: Context,
    { attributes = {}, startedAt = this.now(), links = [] }: SpanStart & { readonly links?: readonly SpanLink[] },
  ): OtelSpan {
    const options = { kind, attributes: { ...attributes }, startTime: startedAt, links: links.map(linkTo) };
    const span = this.tracer.startSpan(name, options, within);
    return new OtelSpan(this, span, trace.setSpan(within, span));
  }

  add({ name, kind, attributes, startedAt, endedAt, answer, ...thrown }: Ended, within: Context): void {
    const span = this.open(name, KINDS[kind], within, { attributes, startedAt });
    const { errorType, attributes: more } = answer;
    span.end({ endedAt, errorType, ...(more ? { attributes: more } : {}), ...thrown });
  }
}

class OtelSpan implements OpenSpan {
  readonly isRecorded: boolean;
  onEnd: (() => void) | null = null;

  constructor(
    private readonly tracing: OtelTracing,
    private readonly span: Span,
    private readonly inside: Context,
  ) {
    this.isRecorded = span.isRecording();
  }

  get link(): SpanLink {
    return this.span.spanContext();
  }

  within<T>(work: () => T): T {
    return context.with(this.inside, work);
  }

  child(name: string, start: SpanStart & { readonly links?: readonly SpanLink[] } = {}): OpenSpan {
    return this.tracing.open(name, SpanKind.INTERNAL, this.inside, start);
  }

  add(operation: Ended): void {
    this.tracing.add(operation, this.inside);
  }

  rename(name: string): void {
    this.span.updateName(name);
  }

  end({ endedAt = this.tracing.now(), attributes, errorType, ...thrown }: SpanEnd = {}): void {
    if (attributes) this.span.setAttributes(attributes);
    if ('error' in thrown) markFailed(this.span, thrown.error);
    if (errorType !== undefined) {
      this.span.setAttribute('error.type', errorType);
      this.span.setStatus({ code: SpanStatusCode.ERROR });
    }
    this.span.end(endedAt);
    this.onEnd?.();
  }
}

const linkTo = ({ traceId, spanId }: SpanLink): Link => ({
  context: { traceId, spanId, traceFlags: TraceFlags.SAMPLED },
});
