import { Command } from 'commander';
import { productVersion } from './package.js';

/** The exit code EX_USAGE of sysexits.h: the command line is wrong. */
export const EXIT_USAGE = 64;

/** What the command lines of all programs share: `--help`, `--version`, and errors as a sentence without "error:". */
export function programNamed(name: string, description: string): Command {
  return new Command(name)
    .description(description)
    .version(productVersion(), '-V, --version', 'prints the version')
    .helpOption('-h, --help', 'shows this help')
    .configureOutput({ outputError: (message, write) => write(message.replace(/^error: /, '')) });
}

/**
 * Reads the command line of the API or a worker before anything is started, so that a mistyped option (`--onc`) does
 * not start a process that charges. Help and version are printed and end the process with 0; a wrong command line ends
 * it with 64.
 * @param flags the other options, each with its meaning.
 */
export function readOptions(
  name: 'api' | 'worker',
  description: string,
  flags: Readonly<Record<string, string>> = {},
): Readonly<Record<string, boolean | undefined>> {
  const program = programNamed(name, description)
    .addHelpText('after', '\nSettings come from the environment and a .env file (docs/settings.md).')
    .exitOverride(({ exitCode }) => process.exit(exitCode === 0 ? 0 : EXIT_USAGE));
  for (const [flag, meaning] of Object.entries(flags)) program.option(flag, meaning);
  return program.parse(process.argv.slice(2), { from: 'user' }).opts();
}
