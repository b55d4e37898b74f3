import { Injectable } from '@nestjs/common';
import { Vault } from '#libs/platform';
import { type Answer, type Caller, Database, type Idempotency } from '#libs/records';
import { ENDPOINTS, rotateSecret, secretsJson, STORED_SECRETS, type StoredSecrets } from './signing-secrets.js';
import { WebhookEndpointsService } from './webhook-endpoints.service.js';

/** What the messages to an endpoint are signed with. */
@Injectable()
export class WebhookSecretsService {
  constructor(
    private readonly database: Database,
    private readonly vault: Vault,
    private readonly endpoints: WebhookEndpointsService,
  ) {}

  async get(caller: Caller, id: number): Promise<string> {
    const selection = { name: 'secrets', columns: `x.id, ${STORED_SECRETS}` };
    const stored = await this.endpoints.selectOne<StoredSecrets>(caller, id, selection);
    return secretsJson(this.vault, ENDPOINTS, caller, stored);
  }

  /** @throws Conflict while the overlap of an earlier rotation lasts. */
  rotate(caller: Caller, id: number, overlapSeconds: number | undefined, once: Idempotency): Promise<Answer> {
    return this.database.once(once, async (tx) => {
      await this.endpoints.load(tx, caller, id);
      return { id, json: await rotateSecret(tx, this.vault, ENDPOINTS, id, overlapSeconds) };
    });
  }
}
