import { type DynamicModule, Global, Module } from '@nestjs/common';
import { type ConnectionPool, type DemoLogin, type Logger, type Settings, Vault, WriteProbe } from '#libs/platform';
import { Database, type Replica } from '#libs/records';
import { Lists } from './lists/lists.js';
import { Calculations } from './load/calculations.js';
import { CallLimits } from './load/call-limits.js';
import { HeavyRequests } from './load/heavy-requests.js';
import { SETTINGS } from './tokens.js';

/** The parameters that the API starts with. */
export interface ApiContext {
  readonly settings: Settings;
  readonly log: Logger;
  readonly pool: ConnectionPool;
  /** Where lists and reports are read, with READ_DATABASE_URL. */
  readonly replica?: Replica | null;
  /** Only where `npm start` has started this process. */
  readonly demoLogin?: DemoLogin | undefined;
  /** Where the built docs site is, in place of dist/docs. */
  readonly docsFolder?: string | undefined;
}

/** The providers for every feature: settings, database, whether it takes writes, vault, lists, limits. */
@Global()
@Module({})
export class CoreModule {
  static with({ settings, log, pool, replica = null }: ApiContext): DynamicModule {
    const vault = Vault.fromSetting(settings.encryptionKeys);
    const database = new Database(pool, vault, replica);
    return {
      module: CoreModule,
      providers: [
        { provide: SETTINGS, useValue: settings },
        { provide: Vault, useValue: vault },
        { provide: Database, useValue: database },
        { provide: WriteProbe, useValue: new WriteProbe(pool, log) },
        Lists,
        CallLimits,
        Calculations,
        HeavyRequests,
      ],
      exports: [SETTINGS, Vault, Database, WriteProbe, Lists, CallLimits, Calculations, HeavyRequests],
    };
  }
}
