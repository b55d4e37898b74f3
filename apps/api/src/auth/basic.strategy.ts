import { Injectable } from '@nestjs/common';
import { PassportStrategy } from '@nestjs/passport';
import { BasicStrategy } from 'passport-http';
import type { Caller } from '#libs/records';
import { Callers } from './callers.js';

/** RFC 7617: the user is the token's id, the password its secret (decisions.md §3). */
@Injectable()
export class AccessTokenStrategy extends PassportStrategy(BasicStrategy) {
  constructor(private readonly callers: Callers) {
    super();
  }

  async validate(tokenId: string, secret: string): Promise<Caller | false> {
    return (await this.callers.find(tokenId, secret)) ?? false;
  }
}
