import type { Command } from 'commander';
import { adoptDeployment } from '#libs/cycles';
import { withDatabase } from '../database.js';
import { printJson, remark } from '../output.js';

export function deploymentAdoptCommand(program: Command): void {
  program
    .command('deployment:adopt')
    .description('charges from this database from now on, although it is a copy or a restored one (docs/processing.md)')
    .action(async () => {
      await withDatabase(async (database, settings) => {
        const { deploymentId, adoptedUtc } = await adoptDeployment(database, settings.deploymentId);
        remark(
          'Make sure that nothing charges from the original any more. What was due by now is looked up before it is charged.',
        );
        printJson({ DeploymentId: deploymentId, AdoptedUtc: adoptedUtc });
      });
    });
}
