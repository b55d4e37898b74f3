import type { GatewayCredentials } from '#libs/gateways';

/** A payment integration, with decrypted credentials. */
export interface Integration {
  readonly id: number;
  readonly siteId: number;
  readonly credentials: GatewayCredentials;
  /**
   * Orders wait for it, or it did not know the latest cards: one charge goes first, and its success wakes the others.
   */
  readonly needsProbe: boolean;
  /** Its charges must be compared with the cycles before anything is charged through it. */
  readonly isUncompared: boolean;
}
