import 'reflect-metadata';
import { createDataSource } from '#libs/entities';
import { loadSettings, readEnvironment } from '#libs/platform';

const { databaseUrl, databasePooler } = loadSettings(readEnvironment(), ['encryptionKeys']);

/** For TypeORM's own command line, e.g. `npx typeorm migration:show -d build/ormconfig.js`. */
export default await createDataSource({
  url: databaseUrl,
  pooler: databasePooler,
  poolSize: 2,
  applicationName: 'typeorm',
});
