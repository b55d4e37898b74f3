import 'reflect-metadata';
import { loadSettings, readEnvironment } from '#libs/config';
import { createDataSource } from '#libs/entities';

const { databaseUrl } = loadSettings(readEnvironment(), ['encryptionKeys']);

/** For TypeORM's own command line, e.g. `npx typeorm migration:show -d dist/ormconfig.js`. */
export default createDataSource({ url: databaseUrl, poolSize: 2, applicationName: 'typeorm' });
