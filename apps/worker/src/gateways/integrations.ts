import { Inject, Injectable } from '@nestjs/common';
import type { GatewayCredentials, PaymentMethodType } from '#libs/gateways';
import { ConnectionPool, DecryptionError, numbers, type SqlExecutor, Vault } from '#libs/platform';
import { LOAD_INTEGRATIONS, LOAD_PINNED_INTEGRATIONS } from './integrations.sql.js';

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
    return new Map(
      rows.map((row) => [integrationKey(Number(row.site_id), row.payment_method_type), this.decrypted(row)]),
    );
  }

  /** Of these ids, also deleted ones, by id. */
  async pinned(ids: readonly string[]): Promise<Map<number, LoadedIntegration>> {
    if (ids.length === 0) return new Map();
    const rows = await this.database.execute<IntegrationRow>(LOAD_PINNED_INTEGRATIONS, [`{${ids.join(',')}}`]);
    return new Map(rows.map((row) => [Number(row.id), this.decrypted(row)]));
  }

  /** Credentials that cannot be decrypted must not delay the others of the batch. */
  private decrypted(row: IntegrationRow): LoadedIntegration {
    const decrypt = (column: 'api_account' | 'api_key1' | 'api_key2') =>
      this.vault.decrypt(row[column], { table: 'payment_integrations', column, row: [row.id] });
    try {
      return {
        id: Number(row.id),
        siteId: Number(row.site_id),
        needsProbe: row.needs_probe ?? false,
        isUncompared: row.uncompared ?? false,
        credentials: {
          type: row.payment_method_type,
          apiAccount: decrypt('api_account'),
          apiKey1: decrypt('api_key1'),
          apiKey2: decrypt('api_key2'),
          testMode: row.test_mode,
        },
      };
    } catch (error) {
      if (error instanceof DecryptionError) return error;
      throw error;
    }
  }
}

interface IntegrationRow {
  id: string;
  site_id: string;
  payment_method_type: PaymentMethodType;
  api_account: string | null;
  api_key1: string | null;
  api_key2: string | null;
  test_mode: boolean;
  needs_probe?: boolean;
  uncompared?: boolean;
}
