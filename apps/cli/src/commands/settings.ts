import type { Command } from 'commander';
import { envExample, settingsPage } from '#libs/platform';

export function settingsCommand(program: Command): void {
  program
    .command('settings')
    .description('prints every setting with its default and meaning, as a first .env file')
    .option('--markdown', 'as the page docs/settings.md', false)
    .action(({ markdown }: { markdown: boolean }) => {
      process.stdout.write(markdown ? settingsPage() : envExample());
    });
}
