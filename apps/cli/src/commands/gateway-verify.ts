import type { Command } from 'commander';
import { Gateways } from '#libs/gateways';
import { Vault } from '#libs/platform';
import { id } from '../arguments.js';
import { withDatabase } from '../database.js';
import { printJson } from '../output.js';
import { verifyIntegration } from '../payments/verify-integration.js';
import { Refusal } from '../refusal.js';
import { gatewayOptions, keysOf } from '../settings.js';

export function gatewayVerifyCommand(program: Command): void {
  program
    .command('gateway:verify')
    .description('asks the payment gateway, harmlessly, whether the credentials of an integration work')
    .requiredOption('--integration <id>', 'the payment integration', id)
    .action(({ integration }: { integration: number }) =>
      withDatabase(async (database, settings) => {
        const gateways = new Gateways(gatewayOptions(settings));
        const vault = Vault.fromSetting(keysOf(settings));
        const verification = await verifyIntegration(database, vault, gateways, integration);
        gateways.close();
        if (!verification.verified) throw new Refusal(`Not verified: ${verification.message}`);
        printJson({ Verified: true });
      }),
    );
}
