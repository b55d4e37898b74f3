/** Series in the notation of `promtool test rules`, one value a minute: when an alert fires, and when it does not. */
export interface AlertCase {
  readonly fires: Readonly<Record<string, string>>;
  readonly quiet: Readonly<Record<string, string>>;
}

const API = 'job="scheduled-orders-api",instance="api:9464"';
const WORKER = 'job="scheduled-orders-worker",instance="worker-1:3001"';
const LONG = 'x130';
const still = (value: number) => `${value}${LONG}`;

const gauge = (name: string, bad: number, good: number, labels = WORKER): AlertCase => ({
  fires: { [`${name}{${labels}}`]: still(bad) },
  quiet: { [`${name}{${labels}}`]: still(good) },
});

const rising = (by: number) => `0+${by}${LONG}`;

const latency = (name: string, labels: string, slow: string, fast: string): AlertCase => {
  const buckets = (upTo: string) => ({
    [`${name}_bucket{${labels},le="${upTo}"}`]: rising(10),
    [`${name}_bucket{${labels},le="+Inf"}`]: rising(10),
  });
  return {
    fires: { [`${name}_bucket{${labels},le="${fast}"}`]: rising(0), ...buckets(slow) },
    quiet: buckets(fast),
  };
};

const ROLES = (processor: number, dispatcher: number, endpoints: number) => ({
  [`scheduled_orders_webhooks_endpoints{${WORKER}}`]: still(endpoints),
  [`scheduled_orders_worker_role{${WORKER},role="processor"}`]: still(processor),
  [`scheduled_orders_worker_role{${WORKER},role="dispatcher"}`]: still(dispatcher),
});

const schema = (version: number, expected: number, minimum: number) => ({
  [`scheduled_orders_schema_version{${API}}`]: still(version),
  [`scheduled_orders_schema_version_expected{${API}}`]: still(expected),
  [`scheduled_orders_schema_version_minimum{${API}}`]: still(minimum),
});

const requests = (route: string, status: string, by: number) => ({
  [`http_request_duration_seconds_count{${API},method="GET",route="${route}",status="${status}"}`]: rising(by),
});

const charges = (outcome: string, by: number) => ({
  [`scheduled_orders_charge_seconds_count{${WORKER},gateway="GatewayOne",outcome="${outcome}"}`]: rising(by),
});

const calls = (outcome: string, by: number) => ({
  [`scheduled_orders_gateway_request_seconds_count{${WORKER},gateway="GatewayOne",outcome="${outcome}"}`]: rising(by),
});

const deliveries = (failed: number, delivered: number) => ({
  [`scheduled_orders_webhooks_failed_total{${WORKER}}`]: rising(failed),
  [`scheduled_orders_webhooks_delivered_total{${WORKER}}`]: rising(delivered),
});

const due = (age: number, processed: number) => ({
  [`scheduled_orders_due_age_seconds{${WORKER}}`]: still(age),
  [`scheduled_orders_processed_total{${WORKER}}`]: rising(processed),
  [`scheduled_orders_failed_total{${WORKER},code="2000"}`]: rising(0),
});

const builds = (one: string, other: string) => ({
  [`scheduled_orders_build_info{${API},version="${one}"}`]: still(1),
  [`scheduled_orders_build_info{${WORKER},version="${other}"}`]: still(1),
});

/** Every alert. */
export const ALERT_CASES: Readonly<Record<string, AlertCase>> = {
  ScheduledOrdersNoWorker: { fires: ROLES(1, 0, 1), quiet: ROLES(1, 0, 0) },
  ScheduledOrdersNoApi: gauge('up', 0, 1, API),
  ScheduledOrdersProcessDown: gauge('up', 0, 1),
  ScheduledOrdersNotReady: gauge('scheduled_orders_ready', 0, 1),
  ScheduledOrdersWritesFail: gauge('scheduled_orders_writable', 0, 1),
  ScheduledOrdersRestarts: {
    fires: { [`process_start_time_seconds{${WORKER}}`]: rising(60) },
    quiet: { [`process_start_time_seconds{${WORKER}}`]: still(1_700_000_000) },
  },
  ScheduledOrdersMigrationMissing: { fires: schema(41, 42, 41), quiet: schema(42, 41, 41) },
  ScheduledOrdersVersionTooOld: { fires: schema(43, 41, 42), quiet: schema(43, 42, 42) },
  ScheduledOrdersVersionsMixed: { fires: builds('0.1.0', '0.2.0'), quiet: builds('0.2.0', '0.2.0') },
  ScheduledOrdersEventLoopSlow: gauge('nodejs_eventloop_lag_p99_seconds', 0.4, 0.02, API),
  ScheduledOrdersPoolExhausted: gauge('db_client_connection_pending_requests', 5, 0, `${API},pool="main"`),
  ScheduledOrdersNotProcessed: { fires: due(3_600, 0), quiet: due(3_600, 5) },
  ScheduledOrdersOverdue: gauge('scheduled_orders_due_age_seconds', 1_000, 400),
  ScheduledOrdersMayNotCharge: gauge('scheduled_orders_may_charge', 0, 1),
  ScheduledOrdersUncompared: gauge('scheduled_orders_uncompared_integrations', 2, 0),
  ScheduledOrdersNotRecording: gauge('scheduled_orders_recording', 0, 1),
  ScheduledOrdersUnknown: gauge('scheduled_orders_unknown', 1, 0),
  ScheduledOrdersNeedsPerson: gauge('scheduled_orders_needs_person', 1, 0),
  ScheduledOrdersPaymentsDiffer: gauge('scheduled_orders_holding_differences', 1, 0),
  ScheduledOrdersAuditBehind: gauge('scheduled_orders_audit_age_seconds', 2_000, 900),
  ScheduledOrdersIntegrationsWaiting: gauge('scheduled_orders_integration_waits', 1, 0),
  ScheduledOrdersManyFail: {
    fires: { [`scheduled_orders_failed_total{${WORKER},code="2001"}`]: rising(3) },
    quiet: { [`scheduled_orders_failed_total{${WORKER},code="2000"}`]: rising(3) },
  },
  ScheduledOrdersGatewayDown: gauge('scheduled_orders_breakers_open', 1, 0),
  ScheduledOrdersGatewayErrors: {
    fires: { ...calls('answered', 8), ...calls('no_answer', 2) },
    quiet: { ...calls('answered', 8), ...calls('refused', 2) },
  },
  ScheduledOrdersGatewaySlow: latency(
    'scheduled_orders_gateway_request_seconds',
    `${WORKER},gateway="GatewayOne",outcome="answered"`,
    '30',
    '5',
  ),
  ScheduledOrdersManyDeclined: {
    fires: { ...charges('charged', 1), ...charges('declined', 2) },
    quiet: { ...charges('charged', 10), ...charges('declined', 2) },
  },
  ScheduledOrdersClockSkew: gauge('scheduled_orders_gateway_clock_skew_seconds', -600, -60),
  ScheduledOrdersEventsStuck: gauge('scheduled_orders_events_unnumbered_age_seconds', 90, 2),
  ScheduledOrdersWebhooksStuck: gauge('scheduled_orders_webhooks_due_age_seconds', 600, 2),
  ScheduledOrdersWebhooksFail: { fires: deliveries(3, 1), quiet: deliveries(1, 3) },
  ScheduledOrdersWebhookEndpointDisabled: {
    fires: { [`scheduled_orders_webhooks_endpoints_disabled{${WORKER}}`]: '0x80 1x50' },
    quiet: { [`scheduled_orders_webhooks_endpoints_disabled{${WORKER}}`]: still(1) },
  },
  ScheduledOrdersPushesStuck: gauge('scheduled_orders_pushes_due_age_seconds', 1_800, 300),
  ScheduledOrdersPushesUnknown: gauge('scheduled_orders_pushes_unknown_age_seconds', 4_000, 1_800),
  ScheduledOrdersShopStopped: {
    fires: { [`scheduled_orders_shops{${WORKER},state="Refused"}`]: still(1) },
    quiet: { [`scheduled_orders_shops{${WORKER},state="Unverified"}`]: still(1) },
  },
  ScheduledOrdersApiErrors: {
    fires: { ...requests('/api/Products', '200', 90), ...requests('/api/Products', '500', 10) },
    quiet: { ...requests('/api/Products', '200', 90), ...requests('/health/ready', '503', 10) },
  },
  ScheduledOrdersApiSlow: latency(
    'http_request_duration_seconds',
    `${API},method="GET",route="/api/Products",status="200"`,
    '2',
    '0.5',
  ),
  ScheduledOrdersApiFull: {
    fires: { [`http_requests_refused_total{${API}}`]: rising(1) },
    quiet: { [`http_requests_refused_total{${API}}`]: still(3) },
  },
};
