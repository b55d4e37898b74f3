/**
 * Facts of a span. Never secrets, e-mail addresses, tokens, card data or texts that customers wrote: they leave the
 * service.
 */
export type Attributes = Readonly<Record<string, string | number | boolean | undefined>>;

/** What became of an operation, in addition to its error if it threw one. */
export interface OperationAnswer {
  readonly attributes?: Attributes;
  /** A short, fixed text such as `500`: the operation failed without throwing. */
  readonly errorType?: string | undefined;
}

/** Something that begins and ends and has no parts: a statement, a call of a gateway. */
export interface Operation {
  readonly name: string;
  readonly kind: 'client' | 'internal';
  readonly attributes: Attributes;
}

/** An operation that has ended. Times are milliseconds since 1970. */
export interface Ended extends Operation {
  readonly startedAt: number;
  readonly endedAt: number;
  readonly answer: OperationAnswer;
  /** What it threw. */
  readonly error?: unknown;
}

export interface SpanStart {
  readonly attributes?: Attributes;
  readonly startedAt?: number;
}

/** Names a span in another trace. */
export interface SpanLink {
  readonly traceId: string;
  readonly spanId: string;
}

export interface SpanEnd {
  readonly endedAt?: number;
  readonly attributes?: Attributes;
  readonly error?: unknown;
  readonly errorType?: string | undefined;
}

export interface OpenSpan {
  /** False: the sampler left its trace out, and nothing of it is kept. */
  readonly isRecorded: boolean;
  readonly link: SpanLink;
  /** Runs `work`; its operations are children of this span, and its log lines have this trace's id. */
  within<T>(work: () => T): T;
  child(name: string, start?: SpanStart & { readonly links?: readonly SpanLink[] }): OpenSpan;
  /** A child that has ended already. */
  add(operation: Ended): void;
  rename(name: string): void;
  end(end?: SpanEnd): void;
}

/** Traces while they are on. */
export interface Tracing {
  /** Milliseconds since 1970, with fractions. */
  now(): number;
  /**
   * The first span of a trace. `scheduledOrderId`: log lines about this order have its trace's id until the span ends.
   */
  begin(name: string, start: SpanStart & { readonly scheduledOrderId?: number }): OpenSpan;
  /** The span of a request. It continues the trace that `traceparent` and `tracestate` name, if they name one. */
  answer(name: string, headers: Readonly<Record<string, string | string[] | undefined>>): OpenSpan;
  /** Runs `work`, whose operations belong to no span yet: they are put into `into`. */
  collect<T>(into: Ended[], work: () => T): T;
  /**
   * Runs `work` at once, as an operation of the span, or of the `collect`, within which it is called. Elsewhere it is
   * only run.
   */
  operation<T>(describe: () => Operation, work: () => Promise<T>, answerOf?: (value: T) => OperationAnswer): Promise<T>;
  /**
   * Tells the span within which it is called what was thrown: type and place, not the message, which may quote
   * anything.
   */
  thrown(error: unknown): void;
  /** What a log line is to have in addition. */
  logFields(line: object): Readonly<Record<string, string>>;
}

let active: Tracing | null = null;

/** Null while traces are off: then nothing of them is loaded, and this question is all that they cost. */
export const activeTracing = (): Tracing | null => active;

export function activate(tracing: Tracing | null): void {
  active = tracing;
}
