import type { Command } from 'commander';
import { adoptDeployment } from '#libs/ledger';
import { withDatabase } from '../database.js';
import { printJson, remark } from '../output.js';

export function deploymentAdoptCommand(program: Command): void {
  program
    .command('deployment:adopt')
    .description('makes this database the one that charges, although it is a copy or was restored (docs/processing.md)')
    .action(async () => {
      await withDatabase(async (database, settings) => {
        const { deploymentId, adoptedUtc } = await adoptDeployment(database, settings.deploymentId);
        remark(
          'Make sure that the original does not charge any more. Orders that are due already are looked up before they are charged.',
        );
        printJson({ DeploymentId: deploymentId, AdoptedUtc: adoptedUtc });
      });
    });
}
