import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { livingPreviousSql, type SigningSecrets } from '#libs/events';
import { Statement, type Vault } from '#libs/platform';
import { type Database, decryptCredentials, NotFound, SHOP_SECRETS } from '#libs/records';
import { hintOf, isSignedHook } from '#libs/shops';
import { Unauthorized } from '../http/problems/errors.js';
import type { ProblemFilter } from '../http/problems/problem.filter.js';

/** Where the hooks of a site's shop are sent to. */
export const hooksPath = (siteId: number | string): string => `/api/Hooks/WooCommerce/${siteId}`;

/** A shop that was not read for so long has changed so much that its lists tell more. */
const MOST_HINTS_KEPT = 4_000;

/** pk_site_shops. $1 site. */
const SHOP = Statement.named(`SELECT h.site_id AS id, h.secret, ${livingPreviousSql('h')} AS previous_secret
FROM site_shops h WHERE h.site_id = $1 AND h.receiver = 'WooCommerceRest'`);

/**
 * Every push takes stock: without StockSync nobody wants to know of a product, but of one that the shop did not sell,
 * or does not sell now. pk_site_shops, uq_products_external_id, pk_shop_hints, pk_shop_reads. $1 site, $2 kind, $3 id,
 * $4 whether it is not sold.
 */
const KEEP_HINT = Statement.named(`WITH wanted AS (
  SELECT s.site_id FROM site_shops s WHERE s.site_id = $1 AND ($2 = 'Order' OR s.stock_sync OR EXISTS (
    SELECT FROM products p WHERE p.site_id = $1 AND p.external_id = $3::text AND p.deleted_utc IS NULL AND ($4::boolean OR p.unsellable IS NOT NULL)))
), hint AS (
  INSERT INTO shop_hints AS h (site_id, kind, record_id)
  SELECT w.site_id, $2::varchar, $3::bigint FROM wanted w WHERE (SELECT count(*) FROM (SELECT FROM shop_hints k WHERE k.site_id = $1 LIMIT ${MOST_HINTS_KEPT}) kept) < ${MOST_HINTS_KEPT}
  ON CONFLICT (site_id, kind, record_id) DO UPDATE SET hinted_utc = greatest(now(), h.hinted_utc + interval '1 millisecond')
)
INSERT INTO shop_reads AS r (site_id, look_at_once) SELECT w.site_id, true FROM wanted w
ON CONFLICT (site_id) DO UPDATE SET look_at_once = true WHERE NOT r.look_at_once`);

interface HookRequest {
  Params: { siteId: string };
}

/**
 * Receives the hooks of WooCommerce shops. They are signed over the bytes of their bodies, which are kept here as they
 * came, in a scope of their own. A hook is a hint only: nothing of it is kept but what is to be read again.
 */
export function receiveHooks(
  server: FastifyInstance,
  { database, vault, problems }: { database: Database; vault: Vault; problems: ProblemFilter },
): void {
  server.register((scope, _options, done) => {
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, parsed) => parsed(null, body));
    scope.setErrorHandler((error, request, reply) => problems.answer(error, request, reply));
    scope.post<HookRequest>(hooksPath(':siteId'), async (request, reply) => {
      if (!isPing(request)) await takeHook(request, database, vault);
      return emptied(reply);
    });
    done();
  });
}

/** The ping of a new hook is a form, unsigned, and says nothing. The shop keeps the hook whatever it is answered. */
const isPing = ({ headers }: FastifyRequest): boolean =>
  headers['x-wc-webhook-signature'] === undefined &&
  headers['content-type']?.startsWith('application/x-www-form-urlencoded') === true;

async function takeHook(request: FastifyRequest<HookRequest>, database: Database, vault: Vault): Promise<void> {
  const { siteId } = request.params;
  const body = Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0);
  const shop = await shopOf(database, siteId);
  const { secret, previousSecret } = decryptCredentials(vault, SHOP_SECRETS, shop);
  const secrets = [secret, previousSecret].filter((one) => one !== null);
  if (!isSignedHook(body, headerOf(request, 'x-wc-webhook-signature'), secrets))
    throw new Unauthorized('X-WC-Webhook-Signature is not of this body: Verify gives the hook its secret again.');
  const hint = hintOf(headerOf(request, 'x-wc-webhook-topic'), body);
  if (hint !== null) await database.execute(KEEP_HINT, [siteId, hint.kind, hint.id, hint.isUnsold]);
}

/** @throws NotFound when the site has no such shop. */
async function shopOf(database: Database, siteId: string): Promise<SigningSecrets> {
  const isId = /^[1-9]\d{0,15}$/.test(siteId);
  const [stored] = isId ? await database.read<SigningSecrets>(SHOP, [siteId]) : [];
  if (stored === undefined) throw new NotFound(`There is no WooCommerce of a Site ${siteId}.`);
  return stored;
}

const headerOf = ({ headers }: FastifyRequest, name: string): string => String(headers[name] ?? '');

const emptied = (reply: FastifyReply): FastifyReply => reply.status(200).send();
