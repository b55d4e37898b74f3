#!/usr/bin/env node
// Writes the OpenAPI document of the built API to openapi.json (npm run client). It needs no database.
import { renameSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { createLogger, loadSettings, openPool } from '#libs/platform';
import { createApp } from '../build/apps/api/src/create-app.js';
import { openApiDocument } from '../build/apps/api/src/system/openapi/openapi.js';

const url = 'postgres://nobody@127.0.0.1:1/none';
const settings = loadSettings({ DATABASE_URL: url, ENCRYPTION_KEY: '0'.repeat(64), LOG_LEVEL: 'silent' });
const app = await createApp({
  settings,
  log: createLogger('api', settings),
  pool: openPool({ url, applicationName: 'openapi' }, { connections: 1 }),
});
const file = fileURLToPath(new URL('../openapi.json', import.meta.url));
writeFileSync(`${file}.new`, `${JSON.stringify(openApiDocument(app), null, 2)}\n`);
// A program that reads it at the same time finds it whole.
renameSync(`${file}.new`, file);
// Something of the API would keep the process alive.
process.exit();
