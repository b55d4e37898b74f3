import { Injectable } from '@nestjs/common';
import { livingPreviousSql, newWebhookSecret, type SigningSecrets } from '#libs/events';
import { type Transaction, Vault } from '#libs/platform';
import {
  type Answer,
  type Caller,
  Conflict,
  Database,
  decryptCredentials,
  encryptCredentials,
  ENDPOINT_SECRETS,
  type Idempotency,
  updateRow,
} from '#libs/records';
import { WebhookEndpointsService } from './webhook-endpoints.service.js';

const DEFAULT_OVERLAP_SECONDS = 86_400;

interface StoredSecrets extends SigningSecrets {
  readonly previousUntilUtc: Date | null;
}

/** What the messages to an endpoint are signed with. */
@Injectable()
export class WebhookSecretsService {
  constructor(
    private readonly database: Database,
    private readonly vault: Vault,
    private readonly endpoints: WebhookEndpointsService,
  ) {}

  async get(caller: Caller, id: number): Promise<string> {
    const stored = await this.endpoints.selectOne<StoredSecrets>(caller, id, {
      name: 'secrets',
      columns: `x.id, x.secret, ${livingPreviousSql('x')} AS "previousSecret",
        CASE WHEN x.previous_until_utc > now() THEN x.previous_until_utc END AS "previousUntilUtc"`,
    });
    const { previousUntilUtc } = stored;
    if (!seesSecrets(caller)) return answerOf(null, null, previousUntilUtc);
    const { secret, previousSecret } = decryptCredentials(this.vault, ENDPOINT_SECRETS, stored);
    return answerOf(secret, previousSecret, previousUntilUtc);
  }

  /** @throws Conflict while the overlap of an earlier rotation lasts. */
  rotate(caller: Caller, id: number, overlapSeconds = DEFAULT_OVERLAP_SECONDS, once: Idempotency): Promise<Answer> {
    return this.database.once(once, async (tx) => {
      const stored = await this.endpoints.load(tx, caller, id);
      const nowUtc = await assertNoOverlap(tx, id);
      const present = { id, secret: stored.secret, previousSecret: null };
      const { secret: previousSecret } = decryptCredentials(this.vault, ENDPOINT_SECRETS, present);
      const hasOverlap = overlapSeconds > 0;
      const texts = { secret: newWebhookSecret(), previousSecret: hasOverlap ? previousSecret : null };
      const previousUntilUtc = hasOverlap ? new Date(nowUtc.getTime() + overlapSeconds * 1_000) : null;
      const values = { ...encryptCredentials(this.vault, ENDPOINT_SECRETS, id, texts), previousUntilUtc };
      await updateRow(tx, 'webhook_endpoints', id, values, 'x.id');
      return { id, json: answerOf(texts.secret, texts.previousSecret, previousUntilUtc) };
    });
  }
}

const answerOf = (secret: string | null, previousSecret: string | null, previousUntilUtc: Date | null): string =>
  JSON.stringify({ Secret: secret, PreviousSecret: previousSecret, PreviousUntilUtc: previousUntilUtc });

/** @returns the present time. */
async function assertNoOverlap(tx: Transaction, id: number): Promise<Date> {
  const [row] = await tx.execute<{ now: Date; until: Date | null }>(
    `SELECT now() AS now, CASE WHEN previous_until_utc > now() THEN previous_until_utc END AS until FROM webhook_endpoints WHERE id = $1`,
    [id],
  );
  const { now, until } = row!;
  if (until === null) return now;
  throw new Conflict(
    `The previous secret of WebhookEndpoint ${id} signs until ${until.toISOString()}: rotate again after that.`,
  );
}

/** Whether the caller may see endpoints' secrets: an API key may not. */
export const seesSecrets = ({ keyAccess }: Caller): boolean => keyAccess === null;
