import type { KnownDatabase } from '#libs/entities';
import { type StoredShop } from '#libs/ledger';
import type { SqlExecutor } from '#libs/platform';
import type { ChangeList, ChangesPlace } from '#libs/shops';
import { BEGIN_READ, beginReadValues, END_READ, GO_ON_READING, PUT_OFF_READ } from './read-back.sql.js';

/** Longer than a page with its variations takes. It is renewed with each page. */
const LEASE_MS = 180_000;

/** Another worker reads this shop now, or nothing may be read any more. */
export class ReadLost extends Error {
  override readonly name = 'ReadLost';
}

/** Where a list goes on. `isRead`: it was read to its end, and others of this round were not yet. */
export interface ListPlace extends ChangesPlace {
  /** When the newest of this round changed, by the shop's clock. */
  readonly newestUtc: Date | null;
  readonly isRead: boolean;
}

/** One that was never read has none. */
export type Places = Partial<Record<ChangeList, ListPlace>>;

/** As JSON has it. */
interface StoredPlace {
  readonly afterUtc?: string | null;
  readonly page?: number;
  readonly perPage?: number;
  readonly newestUtc?: string | null;
  readonly isRead?: boolean;
}

interface TurnRow extends StoredShop {
  readonly currencyIso: string;
  readonly stockSync: boolean;
  readonly places: Partial<Record<ChangeList, StoredPlace>>;
  readonly isWhole: boolean;
  readonly importPlace: StoredPlace | null;
  readonly nowUtc: Date;
}

/** The reading of one shop, which one worker at a time has. */
export class ReadTurn {
  readonly siteId: number;
  /** The site's. */
  readonly currencyIso: string;
  /** By the database's clock. */
  readonly beganUtc: Date;
  /** Whether its products follow the shop's. */
  readonly stockSync: boolean;
  /** All lists are to be read, besides what hooks have hinted at. */
  readonly isWhole: boolean;
  places: Places;
  /** Where the import of its products goes on; null: there is none. */
  readonly importPlace: ChangesPlace | null;

  private constructor(
    private readonly pool: SqlExecutor,
    private readonly worker: string,
    readonly shop: StoredShop,
    { siteId, currencyIso, nowUtc, stockSync, isWhole, places, importPlace }: TurnRow,
  ) {
    this.siteId = siteId;
    this.currencyIso = currencyIso;
    this.beganUtc = nowUtc;
    this.stockSync = stockSync;
    this.isWhole = isWhole;
    this.places = Object.fromEntries(Object.entries(places).map(([list, place]) => [list, placeOf(place)]));
    this.importPlace = importPlace && placeOf(importPlace);
  }

  /** @returns null when no shop is to be read now. */
  static async begin(pool: SqlExecutor, worker: string, { generation, lsn }: KnownDatabase): Promise<ReadTurn | null> {
    const values = beginReadValues({ worker, leaseMs: LEASE_MS, generation, lsn });
    const [row] = await pool.execute<TurnRow>(BEGIN_READ, values);
    return row === undefined ? null : new ReadTurn(pool, worker, row, row);
  }

  /** Writes how far the lists are read. @throws ReadLost */
  async goOn(): Promise<void> {
    const { siteId, worker, places } = this;
    const mine = await this.pool.execute(GO_ON_READING, [siteId, worker, LEASE_MS, JSON.stringify(places)]);
    if (mine.length === 0) throw new ReadLost();
  }

  /** `isWhole`: all lists were read to their ends. `isMore`: something is left for another turn. */
  async end({ isWhole, isMore }: { readonly isWhole: boolean; readonly isMore: boolean }): Promise<void> {
    await this.goOn();
    await this.pool.execute(END_READ, [this.siteId, this.worker, this.beganUtc, isWhole, isMore]);
  }

  /** It failed. `retryAfterMs`: what the shop has asked for. */
  async putOff(retryAfterMs: number | null, because: string): Promise<void> {
    await this.pool.execute(PUT_OFF_READ, [this.siteId, this.worker, retryAfterMs, because]);
  }
}

const placeOf = ({ afterUtc, page = 1, perPage, newestUtc, isRead = false }: StoredPlace): ListPlace => ({
  ...(perPage !== undefined && { perPage }),
  afterUtc: afterUtc ? new Date(afterUtc) : null,
  newestUtc: newestUtc ? new Date(newestUtc) : null,
  ...{ page, isRead },
});
