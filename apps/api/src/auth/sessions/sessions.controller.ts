import { Controller, createParamDecorator, type ExecutionContext } from '@nestjs/common';
import { RouteConfig } from '@nestjs/platform-fastify';
import { ApiTags } from '@nestjs/swagger';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { type Caller, Forbidden } from '#libs/records';
import { SessionDto, SessionLoginDto, SessionPasswordDto } from '../../contract/accounts/session.dto.js';
import { ClientAddress, FromCaller } from '../../http/caller.js';
import { CheckedBody, type Input } from '../../http/parameters/parameters.js';
import { Route } from '../../http/route.js';
import { Callers } from '../callers.js';
import { SessionCookies } from './session-cookies.js';
import { SessionsService } from './sessions.service.js';

interface Exchange {
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
}

/** The request whose answer sets or clears the cookie. */
const Exchanged = createParamDecorator((_: unknown, context: ExecutionContext): Exchange => {
  const http = context.switchToHttp();
  return { request: http.getRequest(), reply: http.getResponse() };
});

@Controller()
@ApiTags('Additions')
export class SessionsController {
  constructor(
    private readonly sessions: SessionsService,
    private readonly cookies: SessionCookies,
    private readonly callers: Callers,
  ) {}

  @Route('POST', '/api/Sessions', {
    audience: 'anyone',
    operationId: 'createSession',
    summary: 'Logs a browser in, with a cookie that its scripts cannot read',
    description:
      'Only from a page of this API itself: else 403. A session whose cookie counts in this request ends. Limits of failed logins as for `POST /api/AccessTokens/Login`. The cookie counts with `X-Requested-With: console` only.',
    status: 201,
    gives: SessionDto,
    errors: [403, 429],
    addition: true,
  })
  @RouteConfig({ warnOfRefusals: true })
  async create(@CheckedBody(SessionLoginDto) login: Input<SessionLoginDto>, @Exchanged() { request, reply }: Exchange) {
    if (!this.cookies.isOfOwnPage(request)) throw otherOrigin();
    const { session, secret } = await this.sessions.create({ ...login, address: request.ip });
    await this.endFormer(request);
    this.cookies.set(request, reply, { tokenId: String(session.Id), secret });
    void reply.header('location', '/api/Session');
    return session;
  }

  /** The new cookie takes the place of the one that was sent: nobody could log that session out any more. */
  private async endFormer(request: FastifyRequest): Promise<void> {
    const former = this.cookies.presented(request);
    const caller = former && (await this.callers.ofSession(former.tokenId, former.secret));
    if (caller !== null) await this.sessions.end(caller);
  }

  @Route('GET', '/api/Session', {
    audience: 'session',
    operationId: 'getSession',
    summary: 'Says who has logged in, and until when',
    description: 'It is a use of the session, as any request without `X-Session-Use: none` is.',
    gives: SessionDto,
    addition: true,
  })
  get(@FromCaller() caller: Caller) {
    return this.sessions.get(caller);
  }

  @Route('POST', '/api/Session/Confirm', {
    audience: 'session',
    operationId: 'confirmSession',
    summary: 'Takes the password again, for what needs it',
    description:
      'For the next 10 minutes the session may make API keys, see and make signing secrets, and change payment integrations and the addresses of webhook endpoints. A login counts as well. Limits of failed logins as for `POST /api/AccessTokens/Login`.',
    gives: SessionDto,
    addition: true,
  })
  @RouteConfig({ warnOfRefusals: true })
  confirm(
    @FromCaller() caller: Caller,
    @CheckedBody(SessionPasswordDto) { password }: Input<SessionPasswordDto>,
    @ClientAddress() address: string,
  ) {
    return this.sessions.confirm(caller, password, address);
  }

  @Route('DELETE', '/api/Session', {
    audience: 'session',
    operationId: 'endSession',
    summary: 'Logs a browser out: revokes the token and clears the cookie',
    status: 204,
    addition: true,
  })
  async end(@FromCaller() caller: Caller, @Exchanged() { request, reply }: Exchange) {
    await this.sessions.end(caller);
    this.cookies.clear(request, reply);
  }
}

const otherOrigin = () =>
  new Forbidden(
    'Only a page of this API itself logs in here; its Origin or Sec-Fetch-Site names another one. Behind a proxy, set TRUST_PROXY or PUBLIC_URL. From elsewhere use POST /api/AccessTokens/Login.',
  );
