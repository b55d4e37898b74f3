import { EventEmitter } from 'node:events';
import { Inject, Injectable } from '@nestjs/common';
import type { PaymentMethodType } from '#libs/gateways';
import type { Logger } from '#libs/platform';
import type { Blocked } from './processor/cycle/blocked.js';
import type { LeasedCycle } from './processor/cycle/cycle.js';
import type { Integration } from './processor/cycle/cycle.js';
import type { ChargedThrough, Outcome } from './processor/cycle/outcome.js';
import type { Recorded } from './processor/cycle/recorded.js';
import { LOG } from './tokens.js';

/** By name: what happened, and with what. */
interface WorkerEventMap {
  /** This worker has these cycles now. */
  claimed: [cycles: readonly LeasedCycle[]];
  /** A gateway was called for a charge. */
  charged: [gateway: ChargedThrough, outcome: Outcome, seconds: number];
  /** Something was sent with this integration, or may have been, and was looked up. */
  sent: [integration: Integration];
  /** This worker no longer has these cycles: their outcome is recorded, or another worker owns them. */
  left: [recorded: Recorded, cycles: readonly LeasedCycle[]];
  /** More cycles may be leased than a moment ago. */
  hasRoom: [];
  /** Queues have places in flight again. */
  placesFree: [];
  /** Charges can be recorded again after some could not. */
  recordingAgain: [];
  /** Orders that waited for their integration may be due now. */
  woken: [];
  /** The charges of an integration of this site must be compared with the ledger first. */
  uncompared: [siteId: number];
  /** They are compared, or cannot be: cycles of the site that were kept in their queues may go on. */
  compared: [siteId: number];
  /** They cannot be compared: the site's cycles of this type cannot go on for a while. */
  blocked: [siteId: number, type: PaymentMethodType, why: Blocked];
  /** Found charges have cycles now, which can be recorded. */
  placed: [];
  /** It is a different database now, or it went back in time. The leased cycles belong to the previous one. */
  databaseChanged: [];
  /** Events were numbered, or another process is doing it. */
  numbered: [];
  /** A request or a trigger tells: an order falls due at this time, in milliseconds since 1970. */
  due: [atMs: number];
  /** A test clock was asked to move, or a simulated order is due. */
  clocks: [];
  /** An order was paused or deleted while a worker was about to charge it. */
  stopped: [scheduledOrderId: number];
  /** Events for the outside were committed, or deliveries of them are due. */
  committed: [];
  /** Notifications are heard from now on. Earlier ones may have been missed. */
  listening: [];
}

/**
 * What happens in a worker, for the parts of it that come later on an order's way, or earlier: a step knows those that
 * it needs, and never who waits for it. A part listens from its constructor on. `emit` calls the listeners at once, one
 * after the other; none relies on another one's having been called before, and one that throws stops neither the others
 * nor the step that emitted: its error is logged.
 */
@Injectable()
export class WorkerEvents {
  private readonly emitter = new EventEmitter();

  constructor(@Inject(LOG) private readonly log: Logger) {}

  on<Name extends keyof WorkerEventMap>(name: Name, listener: (...payload: WorkerEventMap[Name]) => void): void {
    this.emitter.on(name, (...payload: unknown[]) => {
      try {
        listener(...(payload as WorkerEventMap[Name]));
      } catch (error) {
        this.log.error({ err: error, event: name }, 'A part of the worker failed at an event.');
      }
    });
  }

  emit<Name extends keyof WorkerEventMap>(name: Name, ...payload: WorkerEventMap[Name]): void {
    this.emitter.emit(name, ...payload);
  }
}
