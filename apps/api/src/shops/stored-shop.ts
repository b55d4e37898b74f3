import { columnOf, type SiteShop } from '#libs/entities';
import { newWebhookSecret } from '#libs/events';
import { Statement, type Transaction, type Vault } from '#libs/platform';
import {
  assertReach,
  type Caller,
  encryptCredentials,
  isReached,
  NEXT_UPDATED_UTC,
  NotFound,
  SHOP_SECRETS,
  wireName,
} from '#libs/records';

/** What a request writes of a shop, or has the service write. */
const WRITTEN = [
  'push',
  'receiver',
  'path',
  'taxDifference',
  'pushAnyway',
  'stockSync',
  'refundsIn',
  'state',
  'stateBecause',
] as const satisfies readonly (keyof SiteShop)[];

/** In the order of the answer. */
const SHOWN = [
  ...(['push', 'receiver', 'path', 'authMode', 'taxDifference', 'pushAnyway', 'stockSync', 'refundsIn'] as const),
  ...(['lastSyncUtc', 'state', 'stateBecause'] as const),
];

export type ShopValues = Pick<SiteShop, (typeof SHOWN)[number]>;

/** A site, with its shop. */
export interface SiteWithShop {
  readonly siteId: number;
  readonly url: string | null;
  readonly simulated: boolean;
  readonly shop: ShopValues;
  /** False: they are the defaults. */
  readonly isStored: boolean;
}

interface Row extends ShopValues {
  readonly reached: boolean;
  readonly url: string | null;
  readonly type: string | null;
  readonly simulated: boolean;
  readonly isStored: boolean;
}

const readSql = `SELECT ${isReached('s.id', '$2::bigint[]')} AS reached, s.url, s.type, s.simulated, x.site_id IS NOT NULL AS is_stored,
    ${SHOWN.map((field) => `x.${columnOf(field)}`).join(', ')}
  FROM sites s LEFT JOIN site_shops x ON x.site_id = s.id WHERE s.id = $1`;

/** pk_sites, pk_site_shops. $1 site, $2 reach. */
export const READ_SHOP = Statement.named(readSql);
/** The same, locked against other changes of the site and its shop. */
export const LOCK_SHOP = Statement.named(`${readSql} FOR NO KEY UPDATE OF s`);

/** @throws NotFound for no site. Forbidden when it is not the caller's. */
export async function readShop(
  tx: Transaction,
  statement: Statement,
  caller: Caller,
  siteId: number,
): Promise<SiteWithShop> {
  const [row] = await tx.execute<Row>(statement, [siteId, caller.reach]);
  if (row === undefined) throw new NotFound(`There is no Site ${siteId}.`);
  await assertReach(tx, caller, row, `Site ${siteId}`);
  const { url, type, simulated, isStored, reached: _, ...shop } = row;
  return { siteId, url, simulated, shop: isStored ? shop : defaultsFor(type), isStored };
}

const defaultsFor = (type: string | null): ShopValues => ({
  push: false,
  receiver: type?.trim().toLowerCase() === 'woocommerce' ? 'WooCommerceRest' : 'Http',
  path: null,
  authMode: 'Header',
  taxDifference: 'Accept',
  pushAnyway: false,
  stockSync: false,
  refundsIn: 'Service',
  lastSyncUtc: null,
  state: 'Unverified',
  stateBecause: null,
});

/** The state is written by others, too: it stays unless this changes where the shop is. */
const ifMovedSql = (column: string, value: string): string =>
  `${column} = CASE WHEN (x.receiver, x.path) IS DISTINCT FROM (EXCLUDED.receiver, EXCLUDED.path) THEN ${value} ELSE x.${column} END`;

const writtenSql = (field: (typeof WRITTEN)[number]): string => {
  const column = columnOf(field);
  if (field !== 'state' && field !== 'stateBecause') return `${column} = EXCLUDED.${column}`;
  return ifMovedSql(column, `EXCLUDED.${column}`);
};

/** pk_site_shops. $1 site, $2 secret of a new row, then the columns. */
const WRITE = Statement.named(`INSERT INTO site_shops AS x (site_id, secret, ${WRITTEN.map(columnOf).join(', ')})
  VALUES ($1, $2, ${WRITTEN.map((_, index) => `$${index + 3}`).join(', ')})
  ON CONFLICT (site_id) DO UPDATE SET ${WRITTEN.map(writtenSql).join(', ')},
    ${ifMovedSql('moved_utc', 'now()')}, updated_utc = ${NEXT_UPDATED_UTC}`);

/** Writes a shop, whose site must be locked; a new one gets a secret. */
export async function writeShop(tx: Transaction, vault: Vault, siteId: number, shop: ShopValues): Promise<void> {
  const { secret } = encryptCredentials(vault, SHOP_SECRETS, siteId, {
    secret: newWebhookSecret(),
    previousSecret: null,
  });
  await tx.execute(WRITE, [siteId, secret, ...WRITTEN.map((field) => shop[field])]);
}

const offOn = (isOn: boolean) => (isOn ? 'On' : 'Off');

/** A shop as the API shows it. */
export function shopJson({ push, stockSync, ...shop }: ShopValues): string {
  const values = { ...shop, push: offOn(push), stockSync: offOn(stockSync) };
  return JSON.stringify(Object.fromEntries(SHOWN.map((field) => [wireName(field), values[field]])));
}
