import { logConsole } from './logs/log-console.js';
import { createLogger, type Logger } from './logs/logging.js';
import { readEnvironment } from './settings/environment.js';
import { type Environment, loadSettings, type Settings, SettingsFault, settingsWarnings } from './settings/settings.js';

/** The exit code EX_CONFIG of sysexits.h: the configuration is wrong. */
export const EXIT_CONFIGURATION = 78;

/** Writes every wrong setting to stderr, one line each. */
export function reportSettingsFault(fault: SettingsFault): void {
  process.stderr.write(
    `The settings are not right (docs/settings.md lists them all):\n${fault.faults.map((line) => `  - ${line}\n`).join('')}`,
  );
}

/**
 * The first step of every process: reads its settings (from the environment and a `.env` file) and makes its logger.
 * When settings are wrong, it lists all of them and exits with code 78.
 */
export function boot(
  processName: 'api' | 'worker',
  env: Environment = readEnvironment(),
): { settings: Settings; log: Logger } {
  try {
    const settings = loadSettings(env);
    const log = createLogger(processName, settings);
    logConsole(log);
    for (const warning of settingsWarnings(env)) log.warn(warning);
    return { settings, log };
  } catch (error) {
    if (!(error instanceof SettingsFault)) throw error;
    reportSettingsFault(error);
    process.exit(EXIT_CONFIGURATION);
  }
}
