import { Module } from '@nestjs/common';
import { GatewaysModule } from '../../gateways/gateways.module.js';
import { GuardsModule } from '../../guards/guards.module.js';
import { Audit } from './audit.js';
import { IntegrationAudit } from './integration-audit.js';

@Module({ imports: [GatewaysModule, GuardsModule], providers: [Audit, IntegrationAudit], exports: [Audit] })
export class AuditModule {}
