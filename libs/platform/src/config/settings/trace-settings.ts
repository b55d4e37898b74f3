import * as kinds from './kinds.js';
import { optional } from './setting.js';

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
