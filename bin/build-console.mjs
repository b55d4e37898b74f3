#!/usr/bin/env node
// Builds dist/console when one of its sources is newer; a production install has the built files and no Vite.
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { whenChanged } from './when-changed.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
const folder = join(root, 'apps/console');
/** The second is what npm has installed: another version of a package changes the bundle as well. */
const SOURCES = [folder, join(root, 'node_modules/.package-lock.json')];

await whenChanged([join(root, 'dist/console/index.html')], SOURCES, async () => {
  process.stdout.write('Building the console.\n');
  // Jest, which builds as well, has set another one: React would be the one for development.
  process.env.NODE_ENV = 'production';
  const { build } = await import('vite');
  await build({ root: folder, configFile: join(folder, 'vite.config.ts'), logLevel: 'warn' });
});
