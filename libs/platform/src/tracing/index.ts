export { startTracing, type StopTracing, type TracingOptions } from './start.js';
export { statementOperation } from './statement.js';
export {
  activeTracing,
  type Attributes,
  type Ended,
  type OpenSpan,
  type Operation,
  type OperationAnswer,
  type SpanLink,
  type Tracing,
} from './tracing.js';
