import { type GatewayCredentials, isSandbox } from '#libs/gateways';
import type { LeasedCycle } from '../cycle/cycle.js';

/** Shorter than GatewayOne keeps idempotency keys (24 hours), and than GatewayTwo recognises duplicates (8 hours). */
const REMEMBERED_MS = { GatewayOne: 23 * 3_600_000, GatewayTwo: 7.75 * 3_600_000 } as const;

/**
 * How long the gateway surely recognises a repetition. The sandbox always does: the same attempt has the same outcome.
 */
export const memoryOfMs = (credentials: GatewayCredentials): number =>
  isSandbox(credentials) ? Infinity : REMEMBERED_MS[credentials.type];

/**
 * Whether a cycle is overdue by more than the gateway's memory. The gateway may have charged it, and would not
 * recognise a repetition. A simulated site is overdue by its own clock alone, of which the gateway knows nothing.
 */
export const isBeyondMemory = (
  credentials: GatewayCredentials,
  { presentUtc, dueUtc }: Pick<LeasedCycle, 'presentUtc' | 'dueUtc'>,
  now: Date,
): boolean => presentUtc === null && now.getTime() - dueUtc.getTime() > memoryOfMs(credentials);
