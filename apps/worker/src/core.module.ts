import { randomBytes } from 'node:crypto';
import { hostname } from 'node:os';
import { type DynamicModule, Global, Module } from '@nestjs/common';
import {
  AddressRule,
  ConnectionPool,
  type Logger,
  OutboundClient,
  type OutboundOptions,
  type Settings,
  Vault,
} from '#libs/platform';
import { DatabaseClock } from './database/clock.js';
import { Contention } from './database/contention.js';
import { RequestSignal } from './database/request-signal.js';
import { Metrics } from './metrics/metrics.js';
import { DISPATCH_POOL, LOG, SETTINGS, WORKER_ID } from './tokens.js';
import { WorkerEvents } from './worker-events.js';

/** What a worker is made with. */
export interface WorkerContext {
  readonly settings: Settings;
  readonly log: Logger;
  readonly pool: ConnectionPool;
  /** The worker's own pool unless it is given. */
  readonly dispatchPool?: ConnectionPool;
  readonly outbound?: OutboundOptions;
}

/**
 * The providers for every part: settings, log, database and its clock, vault, outbound requests, metrics, and what
 * happens.
 */
@Global()
@Module({})
export class CoreModule {
  static with({ settings, log, pool, dispatchPool = pool, outbound = {} }: WorkerContext): DynamicModule {
    const worker = `${hostname().slice(0, 40)}-${process.pid}-${randomBytes(4).toString('hex')}`;
    const providers = [
      { provide: SETTINGS, useValue: settings },
      { provide: WORKER_ID, useValue: worker },
      { provide: LOG, useValue: log.child({ worker }) },
      { provide: ConnectionPool, useValue: pool },
      { provide: DISPATCH_POOL, useValue: dispatchPool },
      {
        provide: OutboundClient,
        useValue: new OutboundClient(new AddressRule(settings.outboundAllowedAddresses), outbound),
      },
      { provide: Vault, useValue: Vault.fromSetting(settings.encryptionKeys) },
      ...[WorkerEvents, Metrics, DatabaseClock, Contention, RequestSignal],
    ];
    return { module: CoreModule, providers, exports: providers };
  }
}
