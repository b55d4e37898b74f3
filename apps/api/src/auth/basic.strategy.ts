import { Injectable } from '@nestjs/common';
import { PassportStrategy } from '@nestjs/passport';
import { BasicStrategy } from 'passport-http';
import { apiKeyIdOf, type Caller } from '#libs/records';
import { Callers } from './callers.js';

/** RFC 7617: the user is the token's id, or what names an API key; the password is its secret (decisions.md §3). */
@Injectable()
export class AccessTokenStrategy extends PassportStrategy(BasicStrategy) {
  constructor(private readonly callers: Callers) {
    super();
  }

  async validate(user: string, secret: string): Promise<Caller | false> {
    const keyId = apiKeyIdOf(user);
    const caller = keyId === null ? this.callers.ofToken(user, secret) : this.callers.ofKey(keyId, secret);
    return (await caller) ?? false;
  }
}
