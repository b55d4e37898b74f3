import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Settings } from '#libs/platform';
import { Misdirected } from './errors.js';
import type { ProblemFilter } from './problem.filter.js';

const LOOPBACK = /^(?:(?:.+\.)?localhost|127(?:\.\d{1,3}){3}|\[::1\])$/;
const LONGEST_SHOWN = 255;

/** Monitoring sends addresses and names of containers. What it reads is no secret. */
const OF_MONITORING = /^\/(?:health\/.+|metrics)$/;
const OF_THE_API = /^\/api\//i;
/**
 * They give a token for a password, and that of the demo is public: `Authorization`, which they do not look at, opens
 * neither.
 */
const LOGINS: readonly (string | undefined)[] = ['/api/AccessTokens/Login', '/api/Sessions'];

/** Without its port, in lower case, without the last dot. */
const nameOf = (host: string) => host.toLowerCase().replace(/:\d*$/, '').replace(/\.$/, '');

/**
 * Whether the request has, or a browser asks before one that has, a header that no page of somebody else knows: such a
 * page may reach this API under its own name (DNS rebinding), but has no token.
 */
function isAuthorized({ method, headers, url, routeOptions }: FastifyRequest): boolean {
  if (!OF_THE_API.test(url) || LOGINS.includes(routeOptions.url)) return false;
  const preflight = method === 'OPTIONS' ? headers['access-control-request-headers'] : undefined;
  return headers.authorization !== undefined || /\bauthorization\b/i.test(preflight ?? '');
}

/**
 * Answers 421 to a request for another host than those that the settings name, and the loopback. Without such settings
 * all are accepted.
 */
export function acceptHosts(
  server: FastifyInstance,
  { allowedHosts, publicUrl }: Settings,
  problems: ProblemFilter,
): void {
  if (allowedHosts.length === 0 && publicUrl === undefined) return;
  const accepted = new Set(allowedHosts);
  if (publicUrl !== undefined) accepted.add(new URL(publicUrl).hostname);
  const isAccepted = (host: string) => accepted.has(nameOf(host)) || LOOPBACK.test(nameOf(host));
  server.addHook('onRequest', (request, reply, done) => {
    // Both, for a page can send X-Forwarded-Host: where a proxy on this machine is trusted, also from a browser on it.
    const foreign = [request.headers.host ?? '', request.host].find((host) => !isAccepted(host));
    const isOpen = foreign === undefined || OF_MONITORING.test(request.routeOptions.url ?? '') || isAuthorized(request);
    if (isOpen) done();
    else problems.answer(misdirected(foreign), request, reply);
  });
}

const misdirected = (host: string) =>
  new Misdirected(
    `"${host.slice(0, LONGEST_SHOWN)}" is no host of this API. If clients shall reach it so, add the name to ALLOWED_HOSTS, or set PUBLIC_URL.`,
  );
