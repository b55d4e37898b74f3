import { POOLER_MODES } from '../../database/index.js';
import * as kinds from './kinds.js';
import { optional, required, withDefault } from './setting.js';

/** How the database is reached, and which one it is. */
export const DATABASE = {
  databaseUrl: required({
    name: 'DATABASE_URL',
    section: 'Database',
    kind: kinds.postgresUrl,
    meaning:
      'PostgreSQL 14 to 18. Of several hosts the first one that answers and is writable is used (`target_session_attrs`: `read-write`, `primary` or `any`). Without it, `npm start` starts its own database.',
    remedy: 'set it to postgres://user:password@host:5432/database, or run `npm start`, which starts its own database',
    usedBy: ['api', 'worker', 'cli', 'start'],
    secret: true,
  }),
  databasePooler: withDefault({
    name: 'DATABASE_POOLER',
    section: 'Database',
    kind: kinds.oneOf(POOLER_MODES),
    default: 'none',
    meaning:
      '`transaction` when DATABASE_URL leads to a pooler such as PgBouncer that gives out connections for one transaction at a time. Then the service uses no session state (startup options, named statements, LISTEN).',
    usedBy: ['api', 'worker', 'cli', 'start'],
  }),
  readDatabaseUrl: optional({
    name: 'READ_DATABASE_URL',
    section: 'Database',
    kind: kinds.replicaUrl,
    meaning:
      'A standby of the database, from which the API reads lists, exports and reports, if it has what was committed until then. One host; DATABASE_POOLER is for both. docs/growing.md has more.',
    unset: 'everything is read from DATABASE_URL',
    usedBy: ['api'],
    secret: true,
  }),
  encryptionKeys: required({
    name: 'ENCRYPTION_KEY',
    section: 'Database',
    kind: kinds.encryptionKeys,
    meaning:
      'Encrypts the credentials of payment integrations and sites. Keep it apart from the database backups: without it they cannot be read. `npm start` without DATABASE_URL makes one in DATA_DIR.',
    remedy: 'make one with: openssl rand -hex 32',
    usedBy: ['api', 'worker', 'cli', 'start'],
    secret: true,
  }),
  deploymentId: optional({
    name: 'DEPLOYMENT_ID',
    section: 'Database',
    kind: kinds.text('text'),
    meaning:
      'Names this deployment, e.g. `production`. The database stores it, and workers with another value refuse to charge until `deployment:adopt`: a copy that is started for a test charges nobody.',
    unset: 'only the database itself shows whether it is the original or a copy',
    usedBy: ['api', 'worker', 'cli', 'start'],
  }),
  dataDir: withDefault({
    name: 'DATA_DIR',
    section: 'Database',
    kind: kinds.text('folder, relative to where the program is started', 1_000),
    default: '.data',
    meaning: 'Where `npm start` keeps its database, its log and its encryption key. Not used with DATABASE_URL.',
    usedBy: ['cli', 'start'],
  }),
} as const;
