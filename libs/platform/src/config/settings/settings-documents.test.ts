import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseEnv } from 'node:util';
import { loadSettings } from './settings.js';
import { envExample, settingsPage } from './settings-documents.js';

const file = (name: string) => readFileSync(join(__dirname, '../../../../..', name), 'utf8');

it('.env.example is what the settings say (npm run --silent cli -- settings > .env.example)', () => {
  expect(file('.env.example')).toBe(envExample());
});

it('docs/settings.md is what the settings say (npm run --silent cli -- settings --markdown > docs/settings.md)', () => {
  expect(file('docs/settings.md')).toBe(settingsPage());
});

it('holds every default as it is written: uncommented, nothing changes', () => {
  const enough = { DATABASE_URL: 'postgres://localhost/orders', ENCRYPTION_KEY: 'ab'.repeat(32) };
  const uncommented = envExample().replace(/^# ([A-Z_]+=)/gm, '$1');
  const written = parseEnv(uncommented.replace(/^(DATABASE_URL|ENCRYPTION_KEY)=$/gm, '')) as Record<string, string>;
  expect(Object.keys(written).length).toBeGreaterThan(20);
  expect(loadSettings({ ...written, ...enough })).toEqual(loadSettings(enough));
});
