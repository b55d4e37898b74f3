export { boot, reportSettingsFault, EXIT_CONFIGURATION } from './boot.js';
export { connectWithRetry, type ConnectOptions } from './connect.js';
export { durationMs, durationText } from './duration.js';
export { readEnvironment } from './environment.js';
export { createLogger, type Logger } from './logging.js';
export { NestLog } from './nest-log.js';
export { databaseName, databaseSentence, errorCode, listenSentence } from './sentence.js';
export {
  loadEmbeddedSettings,
  loadSettings,
  settingsWarnings,
  SettingsFault,
  type Environment,
  type Settings,
} from './settings.js';
export { EmbeddedFault } from './embedded/embedded-fault.js';
export { runningEmbeddedDatabase, startEmbeddedDatabase, type EmbeddedDatabase } from './embedded/embedded-database.js';
export { startEphemeralDatabase, type EphemeralDatabase } from './embedded/ephemeral-database.js';
export { freePort, probePort } from './embedded/free-port.js';
