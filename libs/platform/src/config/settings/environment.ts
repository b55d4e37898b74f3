import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseEnv } from 'node:util';
import type { Environment } from './settings.js';

/** The process's environment, and the values of a `.env` file in `folder` that the environment does not set. */
export function readEnvironment(folder = process.cwd(), env: Environment = process.env): Environment {
  const file = join(folder, '.env');
  if (!existsSync(file)) return env;
  const written = parseEnv(readFileSync(file, 'utf8').replace(/^\uFEFF/, ''));
  return { ...written, ...env };
}
