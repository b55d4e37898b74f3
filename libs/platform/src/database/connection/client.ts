import pg from 'pg';
import { endWithFaults, isGivenUp, parametersOf, queryOf, type SentQuery, sentQuery } from './driver.js';
import type { HostSearch } from './find-host.js';
import { localSettings, type SessionSettings, startupOptions } from './session.js';

/** How a client connects. pg.Pool passes its options to every client that it makes. */
export interface ClientPlan {
  /** Null where the URL names one host of any kind. */
  readonly search: HostSearch | null;
  readonly session: SessionSettings;
  readonly longestAnswerMs: number | undefined;
}

export type PlannedConfig = pg.ClientConfig & { readonly plan: ClientPlan };

type Connected = (error: Error | null) => void;

/** Connects to the first of several hosts that is what the URL asks for. */
abstract class HostClient extends pg.Client {
  /** A private field, so that no log shows it: it has the password. */
  readonly #config: PlannedConfig;

  constructor(config: PlannedConfig) {
    super(config);
    this.#config = config;
    endWithFaults(this);
    // One that is lost while nobody listens would end the process with it; whatever waits for it is told.
    this.on('error', () => undefined);
  }

  /** The URL may not start a session with other limits. Its other options are allowed. */
  protected limit(options: string | undefined): void {
    const { longestAnswerMs } = this.#config.plan;
    const none = { statement_timeout: 0, lock_timeout: 0, idle_in_transaction_session_timeout: 0 };
    Object.assign(parametersOf(this), none, { options, query_timeout: longestAnswerMs ?? 0 });
  }

  override connect(): Promise<this>;
  override connect(callback: Connected): void;
  override connect(callback?: Connected): Promise<this> | void {
    const { search } = this.#config.plan;
    if (callback === undefined) return this.connected(search);
    // No asynchronous step in between: the pool listens for errors only after its callback.
    if (search === null) return super.connect(callback as never);
    this.choose(search).then(
      () => super.connect(callback as never),
      (error: unknown) => process.nextTick(callback, error),
    );
  }

  private async connected(search: HostSearch | null): Promise<this> {
    if (search !== null) await this.choose(search);
    await super.connect();
    return this;
  }

  private async choose(search: HostSearch): Promise<void> {
    const place = await search.find(this.#config);
    Object.assign(this, place);
    Object.assign(parametersOf(this), place);
    if (isGivenUp(this)) throw new Error('timeout expired');
  }
}

/** A client with its own session: the settings are sent at its start. */
export class SessionClient extends HostClient {
  constructor(config: PlannedConfig) {
    super(config);
    this.limit(startupOptions(parametersOf(this).options, config.plan.session));
  }
}

const BEGINS = /^\s*(BEGIN|START\s+TRANSACTION)\b/i;
const ENDS = /^\s*(COMMIT|ROLLBACK|END|ABORT)\b(?!\s+(TO|PREPARED)\b)/i;

/**
 * A client behind a pooler that gives a server connection to one transaction at a time. It leaves no state on a
 * session: statements have no names, and the settings are sent with each BEGIN. A statement outside a transaction gets
 * its own transaction in the same round trip: BEGIN, statement and COMMIT are sent together, and the statement's answer
 * counts when its COMMIT is answered.
 */
export class TransactionClient extends HostClient {
  private isInTransaction = false;
  private readonly settings: string;

  constructor(config: PlannedConfig) {
    super({ ...config, pipeline: true });
    this.limit(undefined);
    this.settings = localSettings(config.plan.session);
  }

  /** pg overloads this in nine ways: `never` is the result of each. */
  override query(config: unknown, values?: unknown, callback?: unknown): never {
    const sent = sentQuery(config, values, callback);
    sent.name = undefined;
    if (sent.callback !== undefined) return this.dispatch(sent) as never;
    return new Promise((resolve, reject) => {
      sent.callback = (error, result) => (error ? reject(error) : resolve(result));
      this.dispatch(sent);
    }) as never;
  }

  /** Counts what was sent, not what was answered, because several statements may be in flight at once. */
  private dispatch(sent: SentQuery): void {
    if (BEGINS.test(sent.text)) {
      this.isInTransaction = true;
      sent.text = this.begin(sent.text);
      super.query(sent);
    } else if (this.isInTransaction) {
      if (ENDS.test(sent.text)) this.isInTransaction = false;
      super.query(sent);
    } else this.alone(sent);
  }

  private begin(text: string): string {
    return `${text}; ${this.settings}`;
  }

  private alone(sent: SentQuery): void {
    const tell = sent.callback!;
    let [failed, answer]: [Error | null, unknown] = [null, undefined];
    const failsWith = (error: Error | null | undefined) => void (failed ??= error ?? null);
    sent.callback = (error, result) => {
      failsWith(error);
      answer = result;
    };
    super.query(queryOf(this.begin('BEGIN'), failsWith));
    super.query(sent);
    super.query(
      queryOf('COMMIT', (error) => {
        failsWith(error);
        tell(failed, answer);
      }),
    );
  }
}
