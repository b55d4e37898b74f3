import { Module } from '@nestjs/common';
import { SiteSettingsService } from './site-settings.service.js';
import { SitesController } from './sites.controller.js';
import { SitesService } from './sites.service.js';

@Module({ controllers: [SitesController], providers: [SitesService, SiteSettingsService] })
export class SitesModule {}
