import { type Command, CommanderError } from 'commander';
import {
  EmbeddedFault,
  errorCode,
  EXIT_CONFIGURATION,
  EXIT_USAGE,
  programNamed,
  reportSettingsFault,
  SettingsFault,
} from '#libs/platform';
import { type AddCommand, COMMANDS } from './commands.js';
import { Refusal } from './refusal.js';

/** The command that `argv` begins with; all of them where it begins with none, for the help and for suggestions. */
async function commandsFor([name = '']: readonly string[]): Promise<readonly AddCommand[]> {
  const named = Object.hasOwn(COMMANDS, name) ? [COMMANDS[name]!] : Object.values(COMMANDS);
  return Promise.all(named.map((load) => load()));
}

/** The command line: each command has its own `--help`. */
function createProgram(commands: readonly AddCommand[]): Command {
  const program = programNamed(
    'scheduled-orders',
    'Operates the scheduled orders service. Settings come from the environment and a .env file (docs/settings.md).',
  ).exitOverride();
  for (const add of commands) add(program);
  return program;
}

/** Writes an error as a sentence to standard error. @returns the exit code. */
function report(error: unknown): number {
  // Commander has already written its own sentence, or the help.
  if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : EXIT_USAGE;
  if (error instanceof SettingsFault) {
    reportSettingsFault(error);
    return EXIT_CONFIGURATION;
  }
  if (error instanceof Refusal || error instanceof EmbeddedFault) {
    process.stderr.write(`${error.message}\n`);
    return error instanceof Refusal ? error.exitCode : 1;
  }
  const code = errorCode(error);
  const message = error instanceof Error ? error.message : String(error);
  process.stderr.write(`${message}${code === undefined ? '' : ` (${code})`}\n`);
  return 1;
}

/** Runs the command that `argv` names; resolves to the exit code. */
export async function run(argv: readonly string[]): Promise<number> {
  try {
    await createProgram(await commandsFor(argv)).parseAsync([...argv], { from: 'user' });
    return Number(process.exitCode ?? 0);
  } catch (error) {
    return report(error);
  }
}
