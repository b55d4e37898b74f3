import { Injectable } from '@nestjs/common';
import { WebhookEndpoint } from '#libs/entities';
import {
  isFailingSql,
  LOOK_AGAIN,
  newWebhookSecret,
  queueChanged,
  setListening,
  WAKE_SQL,
  webhookEndpointView,
} from '#libs/events';
import { AddressRule, Statement, type Transaction, urlFault, Vault } from '#libs/platform';
import {
  assertSite,
  type Caller,
  Conflict,
  Database,
  encryptCredentials,
  ENDPOINT_SECRETS,
  keysOfSites,
  Listing,
  PasswordNeeded,
  reachOfSite,
  type RecordJson,
  Rejected,
  SiteScopedService,
  takeId,
  type Values,
} from '#libs/records';
import type { EndpointsQuery } from './endpoints-query.js';

/** The most of a site. */
export const MOST_WEBHOOK_ENDPOINTS = 20;

/** ix_webhook_endpoints_site. $1 site. */
const FAILING = Statement.named(
  `SELECT count(*)::int AS count FROM webhook_endpoints e WHERE e.site_id = $1 AND ${isFailingSql('e')}`,
);

/** Where the events of sites are sent to. */
@Injectable()
export class WebhookEndpointsService extends SiteScopedService<WebhookEndpoint> {
  constructor(
    database: Database,
    private readonly vault: Vault,
    private readonly addresses: AddressRule,
  ) {
    super(database, { entity: WebhookEndpoint, view: webhookEndpointView, name: 'WebhookEndpoint' });
  }

  /** Of one site, or only those that fail. @throws Forbidden when the caller does not reach the site. */
  async listOnly(caller: Caller, { siteId, isFailing }: EndpointsQuery): Promise<Listing> {
    if (!isFailing) return this.listOfSite(caller, siteId);
    if (siteId !== null) await assertSite(this.database, caller, siteId);
    const { view, name } = this.resource;
    const keys = keysOfSites(view.table, siteId === null ? caller.reach : reachOfSite(siteId), isFailingSql);
    return new Listing(this.database.forList(), view, keys, `${name}.failing`);
  }

  /** How many endpoints of a site fail. ix_webhook_endpoints_site. */
  async countFailing(siteId: number): Promise<number> {
    const [row] = await this.database.read<{ count: number }>(FAILING, [siteId]);
    return row!.count;
  }

  protected override async siteOf(tx: Transaction, caller: Caller, sent: Values<WebhookEndpoint>) {
    const siteId = (await super.siteOf(tx, caller, sent))!;
    await assertFewer(tx, siteId);
    return siteId;
  }

  protected override created(tx: Transaction, _: Caller, { siteId }: Values<WebhookEndpoint>): Promise<void> {
    return setListening(tx, siteId!);
  }

  protected override async change(
    tx: Transaction,
    caller: Caller,
    id: number,
    sent: Values<WebhookEndpoint>,
  ): Promise<RecordJson> {
    const before = await this.load(tx, caller, id);
    const isMoved = sent.url !== undefined && sent.url !== before.url;
    if (isMoved && !caller.isConfirmed) throw new PasswordNeeded();
    const json = await super.change(tx, caller, id, sent);
    const isReleased = sent.ordered === false && before.ordered;
    if (sent.status === undefined && sent.ratePerSecond === undefined && !isReleased && !isMoved) return json;
    // What has waited may go, or must not any more.
    await queueChanged(tx, id);
    await tx.execute(`SELECT ${WAKE_SQL}`);
    return json;
  }

  protected override async deleted(tx: Transaction, _: Caller, { id, siteId }: WebhookEndpoint): Promise<void> {
    await tx.execute(LOOK_AGAIN, [id]);
    await setListening(tx, siteId);
  }

  protected override async validate(
    tx: Transaction,
    _: Caller,
    sent: Values<WebhookEndpoint>,
    stored: WebhookEndpoint | null,
  ): Promise<Values<WebhookEndpoint>> {
    this.assertUrl(sent.url, stored);
    const values = { ...sent, ...written(sent), ...startsAfresh(sent, stored) };
    if (stored !== null) return values;
    const id = await takeId(tx, ENDPOINT_SECRETS);
    const secret = encryptCredentials(this.vault, ENDPOINT_SECRETS, id, {
      secret: newWebhookSecret(),
      previousSecret: null,
    });
    return { ...values, ...secret, id };
  }

  private assertUrl(url: string | undefined, stored: WebhookEndpoint | null): void {
    if (url === undefined && stored !== null) return;
    const message = url === undefined ? 'is required.' : urlFault(url, this.addresses);
    if (message !== null) throw new Rejected([{ field: 'Url', message }]);
  }
}

/** The failures of an endpoint that is enabled, or has a new address, are forgotten. */
function startsAfresh(sent: Values<WebhookEndpoint>, stored: WebhookEndpoint | null): Values<WebhookEndpoint> {
  const isMoved = stored !== null && sent.url !== undefined && sent.url !== stored.url;
  if (sent.status !== 'Enabled' && !isMoved) return {};
  const reason = sent.status === 'Enabled' ? { disabledReason: null } : {};
  return { ...reason, failures: 0, failuresBefore: 0, failingSinceUtc: null, notBeforeUtc: null };
}

/** The driver would write an array of JavaScript as one of PostgreSQL. */
const written = ({ eventTypes }: Values<WebhookEndpoint>): object =>
  eventTypes === undefined ? {} : { eventTypes: JSON.stringify([...new Set(eventTypes)]) };

/** Locks the site: so two requests count each other. @throws Conflict. */
async function assertFewer(tx: Transaction, siteId: number): Promise<void> {
  await tx.execute(`SELECT 1 FROM sites WHERE id = $1 FOR NO KEY UPDATE`, [siteId]);
  const [row] = await tx.execute<{ count: number }>(
    `SELECT count(*)::int AS count FROM webhook_endpoints WHERE site_id = $1 AND deleted_utc IS NULL`,
    [siteId],
  );
  if (row!.count < MOST_WEBHOOK_ENDPOINTS) return;
  throw new Conflict(`Site ${siteId} has ${row!.count} webhook endpoints, which is the most: delete one first.`);
}
