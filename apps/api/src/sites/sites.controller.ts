import { Controller } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { Caller } from '#libs/records';
import { FromCaller } from '../http/caller.js';
import { Lists } from '../http/lists.js';
import { Idempotency } from '../http/idempotency.js';
import { Body, Id, PageOrWhole, type PageRequest, type Input } from '../http/parameters.js';
import { Site } from '../contract/site.dto.js';
import { Create, List, Read, Update } from '../http/route.js';
import { SiteSettings } from '../contract/site-settings.dto.js';
import { SiteSettingsService } from './site-settings.service.js';
import { SitesService } from './sites.service.js';

@Controller()
@ApiTags('Sites')
export class SitesController {
  constructor(
    private readonly sites: SitesService,
    private readonly settings: SiteSettingsService,
    private readonly lists: Lists,
  ) {}

  @Create('/api/Sites', Site, {
    audience: 'merchant',
    operationId: 'createSite',
    summary: 'Creates a site of the account',
    collection: '/api/Site',
    addition: true,
  })
  create(@FromCaller() caller: Caller, @Body(Site) site: Input<Site>, @Idempotency() once: Idempotency) {
    return this.sites.create(caller, site, once);
  }

  @List('/api/Sites', Site, {
    audience: 'merchant',
    operationId: 'listSites',
    summary: "Lists the account's sites by Id",
    addition: true,
  })
  list(@FromCaller() caller: Caller, @PageOrWhole() page: PageRequest) {
    return this.lists.answer(page, this.sites.list(caller));
  }

  @Update('/api/Site/:siteId', Site, {
    audience: 'merchant',
    operationId: 'updateSite',
    summary: 'Updates the fields sent',
    addition: true,
  })
  update(@FromCaller() caller: Caller, @Id('siteId') id: number, @Body(Site) site: Input<Site>) {
    return this.sites.update(caller, id, site);
  }

  @Read('/api/Site/:siteId', Site, {
    audience: 'merchant',
    operationId: 'getSite',
    summary: 'Gets a site',
    addition: true,
  })
  get(@FromCaller() caller: Caller, @Id('siteId') id: number) {
    return this.sites.get(caller, id);
  }

  @Update('/api/Site/:siteId/Settings', SiteSettings, {
    audience: 'merchant',
    operationId: 'updateSiteSettings',
    summary: 'Updates the settings sent: how prices are meant, and what is taxed',
    addition: true,
  })
  updateSettings(
    @FromCaller() caller: Caller,
    @Id('siteId') id: number,
    @Body(SiteSettings) settings: Input<SiteSettings>,
  ) {
    return this.settings.update(caller, id, settings);
  }

  @Read('/api/Site/:siteId/Settings', SiteSettings, {
    audience: 'merchant',
    operationId: 'getSiteSettings',
    summary: "Gets a site's settings",
    addition: true,
  })
  getSettings(@FromCaller() caller: Caller, @Id('siteId') id: number) {
    return this.settings.get(caller, id);
  }
}
