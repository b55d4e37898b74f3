import { Command } from 'commander';
import { productVersion } from './version.js';

/** sysexits.h EX_USAGE: the command line is not right. */
export const EXIT_USAGE = 64;

/** How every program of ours is called: `--help` and `--version` first of all, and errors in a sentence without "error:". */
export function programNamed(name: string, description: string): Command {
  return new Command(name)
    .description(description)
    .version(productVersion(), '-V, --version', 'prints the version')
    .helpOption('-h, --help', 'shows this help')
    .configureOutput({ outputError: (message, write) => write(message.replace(/^error: /, '')) });
}

/**
 * What the command line of the API or a worker asks for, read before anything is started: a word that is not known (`--onc`) must not
 * become a process that charges. Help and version are printed, and end the process with 0; what is wrong ends it with 64.
 * @param flags the options besides those, each with its meaning.
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
