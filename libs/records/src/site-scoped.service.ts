import type { SiteRow } from '#libs/entities';
import { prepared, type SqlExecutor, type Transaction } from '#libs/platform';
import type { Caller } from './access/caller.js';
import { assertReach, assertSite, chooseSite } from './access/reach.js';
import { isOfList, isReached, type Reach, reachOfSite } from './access/reach-sql.js';
import type { Answer, Created, Idempotency } from './answer.js';
import { collectFaults } from './collect-faults.js';
import type { Database } from './database.js';
import { NotFound, Rejected } from './errors.js';
import { keysOfCustomer, keysOfSites, type OwnedBy } from './lists/keys.js';
import { Listing } from './lists/listing.js';
import { type RecordJson, recordJson } from './lists/record-pieces.js';
import { RecordReader } from './lists/record-reader.js';
import { type Filter, FilteredList, type FilteredRecords, ofCustomer, type Sort } from './query/index.js';
import type { Reads } from './replica.js';
import { columnList, deleteRow, entityOf, insertRow, updateRow, type Values } from './rows.js';
import type { View } from './views/view.js';

/** What the five operations need to know about a resource. */
export interface Resource<E extends SiteRow> {
  readonly entity: new () => E;
  readonly view: View;
  /** The name of a record in messages: `Customer`. */
  readonly name: string;
  /**
   * SQL: whether the row called `alias` belongs to this customer. Absent when every customer of the site may read it.
   */
  readonly ownedBy?: OwnedBy;
}

/** What is wanted of a list. */
export interface Wanted {
  /** Null: of all sites that the caller reaches. */
  readonly siteId: number | null;
  readonly filters: readonly Filter[];
  readonly sort: Sort;
  /** Deleted records instead of the others: how they are shown. */
  readonly deleted?: View;
}

/** The columns that `selectOne` selects from the record called `x`: SQL, whose parameters begin with `$3`. */
export interface Selection {
  /** Unique for the resource: the statement is prepared under it. */
  readonly name: string;
  readonly columns: string;
  readonly values?: readonly unknown[];
  /** Whether a deleted record is found, too. */
  readonly isDeletedToo?: boolean;
}

/**
 * The five operations that every resource of a site has. A resource describes itself, and validates its values in a
 * hook. `Input` is the body of its requests, when that has more than values of its columns.
 */
export abstract class SiteScopedService<E extends SiteRow, Input extends object = Values<E>> {
  protected constructor(
    protected readonly database: Database,
    protected readonly resource: Resource<E>,
  ) {}

  list(caller: Caller, reads = this.database.forList()): Listing {
    const { ownedBy } = this.resource;
    return caller.customerId === null || ownedBy === undefined
      ? this.listOfSites(caller, caller.reach, reads)
      : this.listOf(caller.customerId, reads);
  }

  private listOfSites(caller: Caller, reach: Reach, reads: Reads): Listing {
    const view = this.viewFor(caller);
    return new Listing(reads, view, keysOfSites(view.table, reach), `${this.resource.name}.sites`);
  }

  /** Of one site, if it is named. @throws Forbidden when the caller does not reach it. */
  async listOfSite(caller: Caller, siteId: number | null): Promise<Listing> {
    if (siteId === null) return this.list(caller);
    await assertSite(this.database, caller, siteId);
    return this.listOfSites(caller, reachOfSite(siteId), this.database.forList());
  }

  /** Lists the records of one customer, whom the caller may reach. */
  listOf(customerId: number, reads = this.database.forList()): Listing {
    const { view, name, ownedBy } = this.resource;
    return new Listing(reads, view, keysOfCustomer(view.table, ownedBy!, customerId), `${name}.customer`);
  }

  /**
   * A part of the caller's list, in an order of its own. `filters` are the resource's, of which the first find the
   * fewest rows.
   * @throws Forbidden when the caller does not reach the site.
   */
  protected async filtered(caller: Caller, { siteId, filters, sort, deleted }: Wanted): Promise<FilteredRecords> {
    const { view, ownedBy } = this.resource;
    const { customerId } = caller;
    if (siteId !== null) await assertSite(this.database, caller, siteId);
    const reach = siteId === null ? caller.reach : reachOfSite(siteId);
    const own = customerId === null || ownedBy === undefined ? [] : [ofCustomer(view.table, ownedBy, customerId)];
    const reads = this.database.forList();
    const query = {
      table: view.table,
      reach,
      filters: [...own, ...filters],
      sort,
      isOfDeleted: deleted !== undefined,
    };
    return {
      list: new FilteredList(reads, query),
      records:
        deleted !== undefined
          ? this.deletedRecords(reach, deleted, reads)
          : (own.length === 0 ? this.listOfSites(caller, reach, reads) : this.list(caller, reads)).records,
      view: deleted ?? this.viewFor(caller),
    };
  }

  /** The record's JSON: one statement. */
  async get(caller: Caller, id: number): Promise<RecordJson> {
    const view = this.viewFor(caller);
    const columns = `${view.whole('x')} AS json`;
    return recordJson(
      view,
      id,
      (await this.selectOne<{ json: string | null }>(caller, id, { name: 'get', columns })).json,
    );
  }

  /**
   * Selects columns of one record and checks in the same statement that the caller may reach it.
   * @throws the same as `load`.
   */
  async selectOne<Row extends object>(
    caller: Caller,
    id: number,
    { name, columns, values = [], isDeletedToo = false }: Selection,
  ): Promise<Row> {
    const { view } = this.resource;
    const statement = prepared(
      `${this.resource.name}.${name}`,
      () => `SELECT ${this.reachedBy('$2::bigint[]')} AS reached, ${columns}
      FROM ${view.table} x WHERE x.id = $1${isDeletedToo ? '' : ' AND x.deleted_utc IS NULL'}`,
    );
    const [row] = await this.database.read<Found & Row>(statement, [id, caller.reach, ...values]);
    return this.found(this.database, caller, id, row);
  }

  create(caller: Caller, sent: Input, once: Idempotency): Promise<Answer> {
    return this.database.once(once, (tx) => this.insert(tx, caller, sent));
  }

  update(caller: Caller, id: number, sent: Input): Promise<RecordJson> {
    return this.database.write((tx) => this.change(tx, caller, id, sent));
  }

  delete(caller: Caller, id: number): Promise<void> {
    return this.database.write(async (tx) => {
      const stored = await this.load(tx, caller, id);
      await deleteRow(tx, this.resource.view.table, id);
      await this.deleted(tx, caller, stored);
    });
  }

  /**
   * The row, locked until the transaction ends, so that the validated row is the one that is replaced.
   * @throws NotFound when there is none. Forbidden when it is not the caller's.
   */
  async load(tx: Transaction, caller: Caller, id: number): Promise<E> {
    const { entity, view, name } = this.resource;
    const statement = prepared(
      `${name}.load`,
      () => `SELECT ${columnList(entity, 'x')}, ${this.reachedBy('$2::bigint[]')} AS reached FROM ${view.table} x
       WHERE x.id = $1 AND x.deleted_utc IS NULL FOR NO KEY UPDATE OF x`,
    );
    const [raw] = await tx.execute<Found>(statement, [id, caller.reach]);
    return entityOf(entity, await this.found(tx, caller, id, raw));
  }

  /**
   * Hook: the rules of the resource. Gives the values to write, completed and checked against the stored record (null
   * on creation); throws Rejected, Forbidden or Conflict.
   */
  protected validate(_tx: Transaction, _caller: Caller, sent: Input, _stored: E | null): Promise<Values<E>> {
    return Promise.resolve(sent as Values<E>);
  }

  /** Hook: the site of a new record. Null when `validate` gives it, after a check that the caller reaches it. */
  protected siteOf(tx: Transaction, caller: Caller, sent: Input): Promise<number | null> {
    return chooseSite(tx, caller, (sent as Values<E>).siteId);
  }

  /** Hook: further changes after a record was made of these values. */
  protected created(_tx: Transaction, _caller: Caller, _values: Values<E> & { id: number }): Promise<void> {
    return Promise.resolve();
  }

  /** Hook: what the caller may see of a record. Every view of a resource has the same SQL. */
  protected viewFor(_caller: Caller): View {
    return this.resource.view;
  }

  /** Hook: further changes after a record was deleted. */
  protected deleted(_tx: Transaction, _caller: Caller, _record: E): Promise<void> {
    return Promise.resolve();
  }

  /** The work of a POST inside its transaction. */
  protected async insert(tx: Transaction, caller: Caller, sent: Input): Promise<Created> {
    const [siteId, validated] = await collectFaults(
      () => this.siteOf(tx, caller, sent),
      () => this.validate(tx, caller, sent, null),
    );
    const values = siteId === null ? validated : { ...validated, siteId };
    await this.assertExternalIdIsFree(tx, values, null);
    const { view } = this.resource;
    const returning = `x.id, ${view.whole('x')} AS json`;
    const made = await insertRow<{ id: number; json: string | null }>(tx, view.table, values, returning);
    const { id } = made;
    await this.created(tx, caller, { ...values, id });
    return { id, json: recordJson(view, id, made.json) };
  }

  /** The work of a PUT inside its transaction. @returns the record's new JSON. */
  protected async change(tx: Transaction, caller: Caller, id: number, sent: Input): Promise<RecordJson> {
    const stored = await this.load(tx, caller, id);
    const { siteId } = sent as Values<E>;
    if (siteId !== undefined && siteId !== stored.siteId) {
      const message = `A ${this.resource.name} stays on its site ${stored.siteId}: leave it out.`;
      throw new Rejected([{ field: 'SiteId', message }]);
    }
    const values = await this.validate(tx, caller, sent, stored);
    await this.assertExternalIdIsFree(tx, { ...stored, ...values }, id);
    const { view } = this.resource;
    const returning = `${view.whole('x')} AS json`;
    const changed = await updateRow<{ json: string | null }>(tx, view.table, id, values, returning);
    return recordJson(view, id, changed.json);
  }

  private deletedRecords(reach: Reach, deleted: View, reads: Reads): RecordReader {
    const holds = (alias: string, owner: string) =>
      `${isOfList(`${alias}.site_id`, `${owner}::bigint[]`)} AND ${alias}.deleted_utc IS NOT NULL`;
    return new RecordReader(reads, deleted, { owner: reach, holds }, `${this.resource.name}.deleted`);
  }

  /** SQL: whether the record `x` is in a reach, and of its customer. */
  private reachedBy(reach: string): string {
    const { ownedBy } = this.resource;
    const customer = `(${reach})[4]`;
    const own = ownedBy === undefined ? '' : ` AND (${customer} IS NULL OR ${ownedBy('x', customer)})`;
    return isReached('x.site_id', reach) + own;
  }

  private async found<R extends Found>(
    database: SqlExecutor,
    caller: Caller,
    id: number,
    row: R | undefined,
  ): Promise<R> {
    const { name } = this.resource;
    if (row === undefined) throw new NotFound(`There is no ${name} ${id}.`);
    await assertReach(database, caller, row, `${name} ${id}`);
    return row;
  }

  /** A shop's retry must not create a duplicate (decisions.md §2). The unique index catches concurrent requests. */
  async assertExternalIdIsFree(tx: Transaction, values: Values<E>, id: number | null): Promise<void> {
    if (!('externalId' in values) || typeof values.externalId !== 'string') return;
    const { view, name } = this.resource;
    const [taken] = await tx.execute<{ id: number }>(
      `SELECT id FROM ${view.table} WHERE site_id = $1 AND external_id = $2 AND deleted_utc IS NULL AND id IS DISTINCT FROM $3`,
      [values.siteId, values.externalId, id],
    );
    if (taken === undefined) return;
    const message = `"${values.externalId}" belongs to ${name} ${taken.id} already: update that one, or send another.`;
    throw new Rejected([{ field: 'ExternalId', message }]);
  }
}

interface Found {
  readonly reached: boolean;
}
