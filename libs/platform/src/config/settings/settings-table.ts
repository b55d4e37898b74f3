import { DATABASE } from './database-settings.js';
import * as kinds from './kinds.js';
import { LIMITS } from './limit-settings.js';
import { OUTWARD } from './outward-settings.js';
import { optional, withDefault } from './setting.js';
import { LOGS, TRACES } from './telemetry-settings.js';

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** Every setting of the product: parsing, `.env.example` and docs/settings.md follow from this one table. */
export const SETTINGS = {
  ...DATABASE,
  port: withDefault({
    name: 'PORT',
    section: 'HTTP',
    kind: kinds.integer('TCP port', 0, 65_535),
    default: '3000',
    meaning: 'Where the API listens; 0 takes any free port.',
    usedBy: ['api', 'start'],
  }),
  host: withDefault({
    name: 'HOST',
    section: 'HTTP',
    kind: kinds.text('address or host name'),
    default: '0.0.0.0',
    meaning:
      'The network address that API and worker listen on; `127.0.0.1` keeps them to this machine. `npm start` listens on 127.0.0.1 unless this is set, because its demo login is public.',
    usedBy: ['api', 'worker', 'start'],
  }),
  workerPort: withDefault({
    name: 'WORKER_PORT',
    section: 'HTTP',
    kind: kinds.integer('TCP port', 0, 65_535),
    default: '3001',
    meaning: 'Where the worker answers /health/live, /health/ready and /metrics; 0 takes any free port.',
    usedBy: ['worker', 'start'],
  }),
  metricsPort: optional({
    name: 'METRICS_PORT',
    section: 'HTTP',
    kind: kinds.integer('TCP port', 0, 65_535),
    meaning:
      'Where the API answers /metrics, instead of on PORT. Only your monitoring should reach it. 0 takes any free port.',
    unset: 'the API answers /metrics on PORT, to everybody who reaches it',
    usedBy: ['api'],
  }),
  publicUrl: optional({
    name: 'PUBLIC_URL',
    section: 'HTTP',
    kind: kinds.httpUrl,
    meaning:
      'The address under which clients reach the API, for links in the documentation and in error answers, and under which shops send their hooks. Its host is accepted as those of ALLOWED_HOSTS are.',
    unset:
      'links are relative to the address of the request, and shops send no hooks: their changes are read every 15 minutes',
    usedBy: ['api'],
  }),
  allowedHosts: withDefault({
    name: 'ALLOWED_HOSTS',
    section: 'HTTP',
    kind: kinds.hosts,
    default: '',
    meaning:
      'Names under which clients reach the API, besides that of PUBLIC_URL and those of this machine (localhost, 127.0.0.1). When this or PUBLIC_URL is set, and in `npm start` always, a request that names another host and has no Authorization is answered 421, against DNS rebinding.',
    usedBy: ['api', 'start'],
  }),
  trustProxy: withDefault({
    name: 'TRUST_PROXY',
    section: 'HTTP',
    kind: kinds.addresses,
    default: '',
    meaning:
      'Proxies whose X-Forwarded-For, -Proto and -Host are trusted. Set it when a proxy is in front of the API: failed logins are limited per client address, and sessions of browsers depend on https.',
    usedBy: ['api'],
  }),
  corsOrigins: withDefault({
    name: 'CORS_ORIGINS',
    section: 'HTTP',
    kind: kinds.origins,
    default: '',
    meaning: "Web origins that browsers may call the API from, besides those of the accounts' own sites.",
    usedBy: ['api'],
  }),
  serveConsole: withDefault({
    name: 'SERVE_CONSOLE',
    section: 'HTTP',
    kind: kinds.flag,
    default: 'true',
    meaning: 'Whether the API serves the console at /console/.',
    usedBy: ['api'],
  }),
  rateLimitPerSecond: withDefault({
    name: 'RATE_LIMIT_PER_SECOND',
    section: 'HTTP',
    kind: kinds.integer('requests per second and caller', 0, 1_000_000),
    default: '100',
    meaning:
      'Sustained request rate of the Merchant tokens of one account together, and of the tokens of one customer; bursts may reach ten times that. 0 switches this limit off, and those of single operations (docs/api.md, Limits).',
    usedBy: ['api'],
  }),
  ...LIMITS,
  processorCron: withDefault({
    name: 'PROCESSOR_CRON',
    section: 'Processing',
    kind: kinds.cron,
    default: '*/5 * * * * *',
    meaning: 'When a worker looks for due orders, in UTC.',
    usedBy: ['worker', 'start'],
  }),
  claimBatch: withDefault({
    name: 'CLAIM_BATCH',
    section: 'Processing',
    kind: kinds.integer('orders', 1, 10_000),
    default: '500',
    meaning: 'Due orders that a worker claims, charges and records together.',
    usedBy: ['worker', 'start'],
  }),
  claimLeaseMs: withDefault({
    name: 'CLAIM_LEASE',
    section: 'Processing',
    kind: kinds.duration(SECOND, DAY),
    default: 'PT2M',
    meaning:
      'How long a claimed order belongs to its worker, which renews the lease while it runs. After a crash another worker takes over then.',
    usedBy: ['worker', 'start'],
  }),
  paymentRetryScheduleMs: withDefault({
    name: 'PAYMENT_RETRY_SCHEDULE',
    section: 'Processing',
    kind: kinds.durations(SECOND, 365 * DAY),
    default: 'P1D,P3D,P5D,P7D',
    meaning:
      'When a declined payment is tried again, each from the previous try; then the order becomes Pending. Give API and workers the same value: Explain shows the dates.',
    usedBy: ['api', 'worker', 'start'],
  }),
  technicalRetryScheduleMs: withDefault({
    name: 'TECHNICAL_RETRY_SCHEDULE',
    section: 'Processing',
    kind: kinds.durations(SECOND, 365 * DAY),
    default: 'PT1M,PT5M,PT30M,PT2H,PT6H',
    meaning: 'The same for a gateway that does not answer, and for errors of this service.',
    usedBy: ['api', 'worker', 'start'],
  }),
  shutdownGraceMs: withDefault({
    name: 'SHUTDOWN_GRACE',
    section: 'Processing',
    kind: kinds.duration(0, HOUR),
    default: 'PT30S',
    meaning:
      'After SIGTERM, how long requests and charges in flight may take to finish; give the orchestrator a little more than that before it kills.',
    usedBy: ['api', 'worker', 'start'],
  }),
  gatewayOneUrl: optional({
    name: 'GATEWAY_ONE_URL',
    section: 'Payment gateways',
    kind: kinds.gatewayUrl,
    meaning: "Sends GatewayOne's calls elsewhere, e.g. to a stand-in; the protocol's path is appended.",
    unset: "the gateway's own address",
    usedBy: ['api', 'worker', 'cli'],
  }),
  gatewayTwoUrl: optional({
    name: 'GATEWAY_TWO_URL',
    section: 'Payment gateways',
    kind: kinds.gatewayUrl,
    meaning:
      "The same for GatewayTwo's calls. For integrations in TestMode it counts only if it is on the loopback: a proxy of the live address never gets a test.",
    unset: "the gateway's own address, its sandbox for integrations in TestMode",
    usedBy: ['api', 'worker', 'cli'],
  }),
  gatewayTwoSandboxUrl: optional({
    name: 'GATEWAY_TWO_SANDBOX_URL',
    section: 'Payment gateways',
    kind: kinds.gatewayUrl,
    meaning:
      "The same for GatewayTwo's calls of integrations in TestMode: a proxy of the gateway's sandbox, or a stand-in.",
    unset: "GATEWAY_TWO_URL if that is on the loopback, else the gateway's own sandbox",
    usedBy: ['api', 'worker', 'cli'],
  }),
  gatewayTimeoutMs: withDefault({
    name: 'GATEWAY_TIMEOUT',
    section: 'Payment gateways',
    kind: kinds.duration(100, 10 * MINUTE),
    default: 'PT30S',
    meaning: 'The longest that one call to a payment gateway may take; then its outcome counts as unknown.',
    usedBy: ['api', 'worker', 'cli'],
  }),
  gatewayListLagMs: optional({
    name: 'GATEWAY_LIST_LAG',
    section: 'Payment gateways',
    kind: kinds.duration(0, DAY),
    meaning:
      'How much later than a charge the list of its gateway may show it: until then a look-up that does not find it proves nothing. After a restore nothing is charged before; the audit compares a charge when it is so old. Raise it while a gateway says that its lists are late.',
    unset: 'one minute for GatewayOne, five for GatewayTwo',
    usedBy: ['worker'],
  }),
  gatewayConcurrency: withDefault({
    name: 'GATEWAY_CONCURRENCY',
    section: 'Payment gateways',
    kind: kinds.integer('calls at once', 1, 1_000),
    default: '25',
    meaning: 'Calls in flight per payment integration and worker.',
    usedBy: ['api', 'worker'],
  }),
  ...OUTWARD,
  accessTokenTtlMs: withDefault({
    name: 'ACCESS_TOKEN_TTL',
    section: 'Access',
    kind: kinds.duration(MINUTE, 365 * DAY),
    default: 'PT24H',
    meaning: 'How long an access token lives.',
    usedBy: ['api'],
  }),
  ...LOGS,
  ...TRACES,
} as const;
