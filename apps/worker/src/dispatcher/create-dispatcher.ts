import {
  AddressRule,
  type ConnectionPool,
  type Logger,
  OutboundClient,
  type OutboundOptions,
  type Settings,
  type Vault,
} from '#libs/platform';
import type { DeploymentGuard } from '../operations/deployment-guard.js';
import type { Metrics } from '../operations/metrics.js';
import { DispatchMetrics } from './dispatch-metrics.js';
import { Dispatcher } from './dispatcher.js';
import { InFlight } from './in-flight.js';
import { Sender } from './sender.js';

/** What a worker may be given besides its settings. */
export interface WorkerOptions {
  /** The connections of the dispatcher, so that it takes none from processing; the worker's own unless given. */
  readonly dispatchPool?: ConnectionPool;
  readonly outbound?: OutboundOptions;
}

/** What the dispatcher shares with the rest of its worker. */
interface Shared {
  readonly settings: Settings;
  readonly log: Logger;
  readonly pool: ConnectionPool;
  readonly guard: DeploymentGuard;
  readonly vault: Vault;
  readonly metrics: Metrics;
  readonly maySend: () => Promise<boolean>;
  readonly onTrouble: (isOtherDatabase: boolean) => void;
}

/** The dispatcher with its client and its metrics; null without the role (WORKER_ROLES). */
export function createDispatcher(shared: Shared, options: WorkerOptions): Dispatcher | null {
  const { settings, log, guard, vault, maySend, onTrouble } = shared;
  if (!settings.workerRoles.includes('dispatcher')) return null;
  const pool = options.dispatchPool ?? shared.pool;
  const inFlight = new InFlight();
  const metrics = shared.metrics.also(new DispatchMetrics(pool, inFlight, shared.metrics.registry));
  const client = new OutboundClient(new AddressRule(settings.outboundAllowedAddresses), options.outbound);
  const sender = new Sender({ pool, client, vault, inFlight, metrics, log });
  return new Dispatcher({ pool, sender, inFlight, log, maySend, known: () => guard.known, onTrouble });
}
