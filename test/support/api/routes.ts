import { RequestMethod } from '@nestjs/common';
import { METHOD_METADATA, PATH_METADATA } from '@nestjs/common/constants.js';
import { ModulesContainer } from '@nestjs/core';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { AUDIENCE, type Audience } from '../../../apps/api/src/http/route.js';

/** Every route that Nest knows, as the interface document writes it, with the audience that it declares. */
export function declaredRoutes(app: NestFastifyApplication): Record<string, Audience | undefined> {
  const controllers = [...app.get(ModulesContainer).values()].flatMap((module) => [...module.controllers.values()]);
  const routes = controllers.flatMap(({ metatype }) => {
    const prototype = (metatype as new () => object).prototype as Record<string, object>;
    const names = Object.getOwnPropertyNames(prototype).filter((name) => name !== 'constructor');
    return names.flatMap((name): [string, Audience | undefined][] => {
      const handler = prototype[name]!;
      const path = Reflect.getMetadata(PATH_METADATA, handler) as string | undefined;
      if (path === undefined) return [];
      const method = RequestMethod[Reflect.getMetadata(METHOD_METADATA, handler) as RequestMethod];
      const route = `${method} ${path.replace(/:(\w+)/g, '{$1}')}`;
      return [[route, Reflect.getMetadata(AUDIENCE, handler) as Audience | undefined]];
    });
  });
  return Object.fromEntries(routes);
}
