import { readEnvironment } from './environment.js';
import { logConsole } from './log-console.js';
import { createLogger, type Logger } from './logging.js';
import { loadSettings, settingsWarnings, SettingsFault, type Environment, type Settings } from './settings.js';

/** sysexits.h EX_CONFIG: something was found in an unconfigured or misconfigured state. */
export const EXIT_CONFIGURATION = 78;

/** Writes every fault of the settings to stderr, one line each. */
export function reportSettingsFault(fault: SettingsFault): void {
  process.stderr.write(
    `The settings are not right (docs/settings.md lists them all):\n${fault.faults.map((line) => `  - ${line}\n`).join('')}`,
  );
}

/**
 * The first thing that a process does: its settings (from the environment and a `.env` file) and its logger.
 * Where the settings are not right, it says all that is wrong and exits with code 78.
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
