import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { createLogger, loadSettings, startEphemeralDatabase } from '#libs/config';
import { openDataSource } from '#libs/entities';
import { createApp } from '../../../build/apps/api/src/create-app.js';
import { openApiDocument } from '../../../build/apps/api/src/system/openapi.js';

// Types of the whole API for the console and for tests, made from the document that the built API serves. The API wants a database when it is made, but asks it nothing.
const here = dirname(fileURLToPath(import.meta.url));
const database = await startEphemeralDatabase();
const { url } = database;
const settings = loadSettings({ DATABASE_URL: url, ENCRYPTION_KEY: '0'.repeat(64), LOG_LEVEL: 'silent' });
const dataSource = await openDataSource({ url });
const app = await createApp({ settings, log: createLogger('api', settings), dataSource });
const folder = mkdtempSync(join(tmpdir(), 'scheduled-orders-client-'));
try {
  const file = join(folder, 'openapi.json');
  writeFileSync(file, JSON.stringify(openApiDocument(app)));
  const output = join(here, '../../../apps/console/src/api/schema.d.ts');
  execFileSync(process.execPath, ['node_modules/openapi-typescript/bin/cli.js', file, '--output', output]);
} finally {
  rmSync(folder, { recursive: true });
  await app.close();
  if (dataSource.isInitialized) await dataSource.destroy();
  await database.stop();
}
