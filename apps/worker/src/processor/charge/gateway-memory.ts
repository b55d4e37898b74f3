import { type GatewayCredentials, isSandbox } from '#libs/gateways';

/** Shorter than GatewayOne keeps idempotency keys (24 hours), and than GatewayTwo recognises duplicates (8 hours). */
const REMEMBERED_MS = { GatewayOne: 23 * 3_600_000, GatewayTwo: 7.75 * 3_600_000 } as const;

/** Whether an occurrence is overdue by more than the gateway's memory. The gateway may have charged it, and would not recognise a repetition. */
export const isBeyondMemory = (credentials: GatewayCredentials, dueUtc: Date, now: Date): boolean =>
  !isSandbox(credentials) && now.getTime() - dueUtc.getTime() > REMEMBERED_MS[credentials.type];
