import * as kinds from './kinds.js';
import { optional, withDefault } from './setting.js';

/** The settings of logs, in files and in the database. */
export const LOGS = {
  logLevel: withDefault({
    name: 'LOG_LEVEL',
    section: 'Logs',
    kind: kinds.oneOf(['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent']),
    default: 'info',
    meaning: 'The lowest level of log lines that are written.',
    usedBy: ['api', 'worker', 'start'],
  }),
  logFormat: optional({
    name: 'LOG_FORMAT',
    section: 'Logs',
    kind: kinds.oneOf(['json', 'text']),
    meaning: 'JSON lines for a log collector, or one readable line each.',
    unset: 'text on a terminal and for `npm start`, else json',
    usedBy: ['api', 'worker', 'start'],
  }),
  logRetentionMonths: optional({
    name: 'LOG_RETENTION',
    section: 'Logs',
    kind: kinds.integer('months', 1, 1_200),
    meaning:
      'Whole months of action, event and error logs that are kept besides the current one. 24 is a good value where no rule says otherwise.',
    unset: 'they are never deleted',
    usedBy: ['worker', 'start'],
  }),
} as const;

/**
 * The settings of traces. The other variables OTEL_… are read by the packages of OpenTelemetry (docs/operations.md,
 * Traces).
 */
export const TRACES = {
  tracesEndpoint: optional({
    name: 'OTEL_EXPORTER_OTLP_ENDPOINT',
    section: 'Traces',
    kind: kinds.collectorUrl,
    meaning:
      'The OpenTelemetry collector that traces are sent to, over OTLP/HTTP: usually port 4318; /v1/traces is appended. Other OTEL_… variables count, too (docs/operations.md, Traces).',
    unset: 'there are no traces, and nothing of them is loaded',
    usedBy: ['api', 'worker', 'start'],
  }),
  tracesProtocol: optional({
    name: 'OTEL_EXPORTER_OTLP_PROTOCOL',
    section: 'Traces',
    kind: kinds.text('http/protobuf'),
    meaning: 'How traces are sent; only `http/protobuf` is possible.',
    unset: 'http/protobuf',
    usedBy: ['api', 'worker', 'start'],
  }),
} as const;
