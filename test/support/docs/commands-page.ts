import type { Argument, Command, Option } from 'commander';
import { programNamed } from '#libs/platform';
import { COMMANDS } from '../../../apps/cli/src/commands.js';

const flat = (text: string) => text.replace(/\s+/g, ' ').trim();

function valueOf({ mandatory, defaultValue }: Option): string {
  if (mandatory) return ' Required.';
  const value: unknown = defaultValue;
  return value === undefined || value === false
    ? ''
    : ` Default: \`${typeof value === 'string' ? value : JSON.stringify(value)}\`.`;
}

const lineOfOption = (option: Option) => `- \`${flat(option.flags)}\`: ${flat(option.description)}.${valueOf(option)}`;
const lineOfArgument = (argument: Argument) =>
  `- \`${argument.name()}\`: ${flat(argument.description)}.${argument.required ? ' Required.' : ''}`;

/** What stands below the options in `--help`. */
function remarkOf(command: Command): string {
  let shown = '';
  command.configureOutput({ writeOut: (text) => (shown += text) }).configureHelp({ helpWidth: 10_000 });
  command.outputHelp();
  return shown.slice(command.helpInformation().length).trim().replaceAll('<', '\\<');
}

function section(command: Command): string {
  const lines = [...command.registeredArguments.map(lineOfArgument), ...command.options.map(lineOfOption)];
  const list = lines.length === 0 ? [] : [lines.join('\n')];
  const remark = remarkOf(command);
  const description = `It ${command.description()}.`;
  return [`## ${command.name()}`, description, ...list, ...(remark === '' ? [] : [remark])].join('\n\n');
}

/** The page docs/commands.md: every command of the real program, in the order of its help. */
export async function commandsPage(): Promise<string> {
  const program = programNamed('scheduled-orders', '');
  for (const load of Object.values(COMMANDS)) (await load())(program);
  const sections = program.commands.map(section);
  return `# Command line

\`npm run --silent cli -- <command>\`, or \`node dist/apps/cli/src/main.js <command>\`. This page is made from each command's \`--help\` (\`npm run pages\`).
Output and exit codes: [Run it](operations.md#the-command-line).

${sections.join('\n\n')}
`;
}
