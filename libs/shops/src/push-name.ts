import { dueSecond } from '#libs/gateways';

interface Named {
  /** `deployment.key_prefix`. */
  readonly installation: string;
  readonly scheduledOrderId: number;
  readonly dueUtc: Date;
}

const NAME = /^([0-9a-z]+)-([1-9]\d*)-([0-9a-z]{1,8})$/;

/**
 * Names an Order outside of the database as its charge does: by installation, scheduled order and the second in which
 * the occurrence fell due. It is the same after a restore, whatever number the cycle has then. At most 45 characters,
 * no comma and no blank: WooCommerce's filter by `created_via` splits there, and cuts after 100.
 */
export const pushName = ({ installation, scheduledOrderId, dueUtc }: Named): string =>
  `${installation}-${scheduledOrderId}-${dueSecond({ dueUtc }).toString(36)}`;

/** What a push name names; null for any other text. */
export function parsePushName(text: string): Named | null {
  const [, installation = '', order = '', second = ''] = NAME.exec(text) ?? [];
  if (installation === '') return null;
  return { installation, scheduledOrderId: Number(order), dueUtc: new Date(parseInt(second, 36) * 1_000) };
}

/** What Verify makes in a shop, it makes under this name. */
export const probeName = (installation: string): string => `${installation}-verify`;
