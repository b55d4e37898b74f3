import { Inject, Injectable } from '@nestjs/common';
import type { GatewayCredentials, PaymentMethodType } from '#libs/gateways';
import { ConnectionPool, DecryptionError, numbers, type SqlExecutor, Vault } from '#libs/platform';
import { decryptCredentials, INTEGRATION_CREDENTIALS } from '#libs/records';
import type { Integration } from '../processor/cycle/cycle.js';
import { LOAD_INTEGRATIONS, LOAD_PINNED_INTEGRATIONS } from './integrations.sql.js';

/** An integration, or the reason why this worker cannot read its credentials. */
export type LoadedIntegration = Integration | DecryptionError;

export const integrationKey = (siteId: number, type: PaymentMethodType | null): string => `${siteId}:${type}`;

/** The payment integrations, with decrypted credentials. */
@Injectable()
export class Integrations {
  constructor(
    @Inject(ConnectionPool) private readonly database: SqlExecutor,
    private readonly vault: Vault,
  ) {}

  /** The same in a transaction. */
  within(tx: SqlExecutor): Integrations {
    return new Integrations(tx, this.vault);
  }

  /** Of these sites, that are not deleted, by `integrationKey`. */
  async ofSites(siteIds: readonly number[]): Promise<Map<string, LoadedIntegration>> {
    const rows = await this.database.execute<IntegrationRow>(LOAD_INTEGRATIONS, [numbers(siteIds)]);
    return new Map(rows.map((row) => [integrationKey(row.siteId, row.type), this.decrypted(row)]));
  }

  /** Of these ids, also deleted ones, by id. */
  async pinned(ids: readonly number[]): Promise<Map<number, LoadedIntegration>> {
    if (ids.length === 0) return new Map();
    const rows = await this.database.execute<IntegrationRow>(LOAD_PINNED_INTEGRATIONS, [numbers(ids)]);
    return new Map(rows.map((row) => [row.id, this.decrypted(row)]));
  }

  /** Credentials that cannot be decrypted must not delay the others of the batch. */
  private decrypted(row: IntegrationRow): LoadedIntegration {
    const { id, siteId, needsProbe = false, isUncompared = false } = row;
    try {
      const { type, apiAccount, apiKey1, apiKey2, testMode } = decryptCredentials(
        this.vault,
        INTEGRATION_CREDENTIALS,
        row,
      );
      const credentials = { type, apiAccount, apiKey1, apiKey2, testMode };
      return { id, siteId, needsProbe, isUncompared, credentials };
    } catch (error) {
      if (error instanceof DecryptionError) return error;
      throw error;
    }
  }
}

interface IntegrationRow extends GatewayCredentials {
  readonly id: number;
  readonly siteId: number;
  readonly needsProbe?: boolean;
  readonly isUncompared?: boolean;
}
