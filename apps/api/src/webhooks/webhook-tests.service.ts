import { randomUUID } from 'node:crypto';
import { Inject, Injectable } from '@nestjs/common';
import {
  bodyOf,
  decryptSigningSecrets,
  exampleDataOf,
  livingPreviousSql,
  outwardId,
  type OutwardType,
  signedHeaders,
  type SigningSecrets,
} from '#libs/events';
import { deploymentRefusal } from '#libs/ledger';
import { OutboundClient, type Settings, Vault } from '#libs/platform';
import { Answer, type Caller, Conflict, Database, type Idempotency } from '#libs/records';
import { CallLimits } from '../http/load/call-limits.js';
import { SETTINGS } from '../http/tokens.js';
import { WebhookEndpointsService } from './webhook-endpoints.service.js';

interface Tested extends Omit<SigningSecrets, 'id'> {
  readonly siteId: number;
  readonly url: string;
  readonly nowUtc: Date;
}

/** Sends synthetic events while the caller waits. They have no delivery and no effect on the endpoint. */
@Injectable()
export class WebhookTestsService {
  constructor(
    private readonly database: Database,
    private readonly vault: Vault,
    private readonly client: OutboundClient,
    private readonly limits: CallLimits,
    private readonly endpoints: WebhookEndpointsService,
    @Inject(SETTINGS) private readonly settings: Settings,
  ) {}

  /** @throws Conflict from a database that is a copy: as a worker, it sends nothing from there. TooManyRequests. */
  async test(caller: Caller, id: number, type: OutwardType, once: Idempotency): Promise<Answer> {
    const tested = await this.endpoints.selectOne<Tested>(caller, id, {
      name: 'tested',
      columns: `x.site_id AS "siteId", x.url, x.secret,
        ${livingPreviousSql('x')} AS "previousSecret", now() AS "nowUtc"`,
    });
    // The request is sent with no transaction open.
    const earlier = await this.database.kept(once);
    if (earlier !== null) return earlier;
    const refusal = await deploymentRefusal(this.database, this.settings.deploymentId);
    if (refusal !== null) throw new Conflict(`No webhook is sent. ${refusal}`);
    await this.database.write((tx) =>
      this.limits.take(tx, [
        {
          subject: `webhook-tests:account:${caller.userId}`,
          most: 60,
          seconds: 60,
          label: 'Tests of webhook endpoints',
        },
      ]),
    );
    const json = await this.send(id, tested, type);
    return this.database.once(once, () => Promise.resolve({ id, json }));
  }

  private async send(id: number, tested: Tested, type: OutwardType): Promise<string> {
    const { siteId, url, nowUtc } = tested;
    const data = { ...exampleDataOf(type), SiteId: siteId, Simulated: true };
    const body = bodyOf({ Type: type, TimestampUtc: nowUtc.toISOString(), Data: data }, null);
    const secrets = decryptSigningSecrets(this.vault, { ...tested, id });
    const headers = signedHeaders({ id: outwardId(randomUUID()), body }, secrets, nowUtc);
    const { status, milliseconds, excerpt, error } = await this.client.send({ url, method: 'POST', headers, body });
    return JSON.stringify({ Status: status, Milliseconds: milliseconds, Reply: excerpt, Error: error });
  }
}
