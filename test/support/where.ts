import { existsSync } from 'node:fs';
import { join } from 'node:path';

const isOnPath = (program: string) => process.env.PATH!.split(':').some((folder) => existsSync(join(folder, program)));

/** `it`, where a program is installed: not every machine has it. CI installs them all (.ci/run). */
export const where = (program: string) => (isOnPath(program) || process.env.CI === 'true' ? it : it.skip);
