import { Controller } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { Caller } from '#libs/records';
import { SiteDto } from '../contract/accounts/site.dto.js';
import { SiteSettingsDto } from '../contract/accounts/site-settings.dto.js';
import { FromCaller } from '../http/caller.js';
import { Idempotency } from '../http/idempotency.js';
import { Lists } from '../http/lists/lists.js';
import { CheckedBody, type Input, PageOrWhole, type PageRequest, PathId } from '../http/parameters/parameters.js';
import { Create, List, Read, Update } from '../http/route.js';
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

  @Create('/api/Sites', SiteDto, {
    audience: 'account',
    operationId: 'createSite',
    summary: 'Creates a site of the account',
    collection: '/api/Site',
    addition: true,
  })
  create(@FromCaller() caller: Caller, @CheckedBody(SiteDto) site: Input<SiteDto>, @Idempotency() once: Idempotency) {
    return this.sites.create(caller, site, once);
  }

  @List('/api/Sites', SiteDto, {
    audience: 'merchant',
    operationId: 'listSites',
    summary: "Lists the account's sites by Id",
    description: 'With an API key, the sites of the key.',
    addition: true,
  })
  list(@FromCaller() caller: Caller, @PageOrWhole() page: PageRequest) {
    return this.lists.answer(page, this.sites.list(caller));
  }

  @Update('/api/Site/:siteId', SiteDto, {
    audience: 'merchant',
    operationId: 'updateSite',
    summary: 'Updates the fields sent',
    addition: true,
  })
  update(@FromCaller() caller: Caller, @PathId('siteId') id: number, @CheckedBody(SiteDto) site: Input<SiteDto>) {
    return this.sites.update(caller, id, site);
  }

  @Read('/api/Site/:siteId', SiteDto, {
    audience: 'merchant',
    operationId: 'getSite',
    summary: 'Gets a site',
    addition: true,
  })
  get(@FromCaller() caller: Caller, @PathId('siteId') id: number) {
    return this.sites.get(caller, id);
  }

  @Update('/api/Site/:siteId/Settings', SiteSettingsDto, {
    audience: 'merchant',
    operationId: 'updateSiteSettings',
    summary: 'Updates the settings sent: how prices are meant, and what is taxed',
    addition: true,
  })
  updateSettings(
    @FromCaller() caller: Caller,
    @PathId('siteId') id: number,
    @CheckedBody(SiteSettingsDto) settings: Input<SiteSettingsDto>,
  ) {
    return this.settings.update(caller, id, settings);
  }

  @Read('/api/Site/:siteId/Settings', SiteSettingsDto, {
    audience: 'merchant',
    operationId: 'getSiteSettings',
    summary: "Gets a site's settings",
    addition: true,
  })
  getSettings(@FromCaller() caller: Caller, @PathId('siteId') id: number) {
    return this.settings.get(caller, id);
  }
}
