import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The project's folder, both from the sources and from what is built. */
export function packageRoot(from = dirname(fileURLToPath(import.meta.url))): string {
  return existsSync(join(from, 'package.json')) ? from : packageRoot(dirname(from));
}

/** The version in package.json. Every program, `--version` and the OpenAPI document show it. */
export function productVersion(): string {
  return (JSON.parse(readFileSync(join(packageRoot(), 'package.json'), 'utf8')) as { version: string }).version;
}
