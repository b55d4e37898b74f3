import { Module } from '@nestjs/common';
import { SitesController } from './sites.controller.js';
import { SiteSettingsService } from './site-settings.service.js';
import { SitesService } from './sites.service.js';

@Module({ controllers: [SitesController], providers: [SitesService, SiteSettingsService] })
export class SitesModule {}
