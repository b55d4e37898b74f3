#!/usr/bin/env node
// Writes the OpenAPI document of the built API to standard output (npm run client: to openapi.json). It needs no
// database.
import { createDataSource } from '#libs/entities';
import { createLogger, loadSettings } from '#libs/platform';
import { createApp } from '../build/apps/api/src/create-app.js';
import { openApiDocument } from '../build/apps/api/src/system/openapi.js';

const url = 'postgres://nobody@127.0.0.1:1/none';
const settings = loadSettings({ DATABASE_URL: url, ENCRYPTION_KEY: '0'.repeat(64), LOG_LEVEL: 'silent' });
const app = await createApp({
  settings,
  log: createLogger('api', settings),
  dataSource: await createDataSource({ url }),
});
// Something of the API would keep the process alive; a pipe takes the text in pieces.
process.stdout.write(`${JSON.stringify(openApiDocument(app), null, 2)}\n`, () => process.exit());
