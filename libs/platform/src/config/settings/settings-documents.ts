import { SECTIONS, type Setting } from './setting.js';
import { SETTINGS } from './settings-table.js';

const ALL = Object.values(SETTINGS) as readonly Setting[];

const inSections = (render: (setting: Setting) => string, heading: (section: string) => string) =>
  SECTIONS.flatMap((section) => [
    heading(section),
    ...ALL.filter((setting) => setting.section === section).map(render),
  ]);

function whenUnset(setting: Setting, quote: string): string {
  if ('required' in setting) return 'Required.';
  if (setting.default === undefined) return `Unset: ${setting.unset}.`;
  return setting.default === '' ? 'Default: empty.' : `Default: ${quote}${setting.default}${quote}.`;
}

/** Form, default and readers of a setting, in one line. */
const facts = (setting: Setting, quote = '') =>
  `Form: ${setting.kind.form}. ${whenUnset(setting, quote)} For: ${setting.usedBy.join(', ')}.`;

/** Words of `text` in lines of at most `width` characters. */
function wrapped(text: string, width: number): string[] {
  const lines = [''];
  for (const word of text.split(' ')) {
    const line = lines.at(-1)!;
    if (line !== '' && line.length + 1 + word.length > width) lines.push(word);
    else lines[lines.length - 1] = line === '' ? word : `${line} ${word}`;
  }
  return lines;
}

/** The file `.env.example`: every setting with unit, default and meaning, commented out. */
export function envExample(): string {
  const render = (setting: Setting) => {
    const comment = [...wrapped(setting.meaning, 116), ...wrapped(facts(setting), 116)];
    const value = 'required' in setting ? '' : (setting.default ?? '');
    return `${comment.map((line) => `# ${line}`).join('\n')}\n# ${setting.name}=${value}\n`;
  };
  const head = '# Copy to .env and set what you need; variables of the environment win over this file.\n';
  return [head, ...inSections(render, (section) => `# --- ${section} ---\n`)].join('\n');
}

/** The page docs/settings.md. */
export function settingsPage(): string {
  const render = (setting: Setting) => `### \`${setting.name}\`\n\n${setting.meaning}\n\n${facts(setting, '`')}\n`;
  return `# Settings

Settings are environment variables, also of a file \`.env\` in the folder where a process is started; the
environment wins. An empty value counts as none. Every process checks them at its start: it reports all
faults together, and exits with code 78. A name that looks like one of these and is none is a warning in the
log. Durations are ISO 8601 (\`PT30S\`, \`P1D\`; a day is 24 hours, months and years are refused).
\`npm run --silent cli -- settings\` prints a \`.env\` to begin with.

${inSections(render, (section) => `## ${section}\n`).join('\n')}`;
}
