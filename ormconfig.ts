import 'reflect-metadata';
import { loadSettings, readEnvironment } from '#libs/config';
import { createDataSource } from '#libs/entities';

const { databaseUrl, databasePooler } = loadSettings(readEnvironment(), ['encryptionKeys']);

/** For TypeORM's own command line, e.g. `npx typeorm migration:show -d build/ormconfig.js`. */
export default await createDataSource({
  url: databaseUrl,
  pooler: databasePooler,
  poolSize: 2,
  applicationName: 'typeorm',
});
