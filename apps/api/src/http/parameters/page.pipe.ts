import type { PipeTransform } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import { Rejected } from '#libs/records';
import { shownParameter } from '../query/query-parameter.js';

export const LAST_PAGE = 2 ** 31 - 1;

/** A page as the query names it, and the request that the answer's links refer to. */
interface SentPage {
  readonly page: unknown;
  readonly path: string;
  readonly reply: FastifyReply;
}

/** Which part of a list was asked for, and the request that the answer's links refer to. */
export interface PageRequest {
  /** From 1; null asks for the whole list. */
  readonly number: number | null;
  readonly path: string;
  readonly reply: FastifyReply;
}

export class PagePipe implements PipeTransform<SentPage, PageRequest> {
  /** @param usual the page when none is named; null is the whole list. */
  constructor(private readonly usual: 1 | null) {}

  /** @throws Rejected when `page` is no int32 from 1. */
  transform({ page, path, reply }: SentPage): PageRequest {
    return { number: page === undefined ? this.usual : numberOf(page), path, reply };
  }
}

function numberOf(page: unknown): number {
  const number = typeof page === 'string' && /^\d{1,10}$/.test(page) ? Number(page) : Number.NaN;
  if (number >= 1 && number <= LAST_PAGE) return number;
  throw new Rejected([
    { field: 'page', message: `${shownParameter(page)} must be an integer from 1 to ${LAST_PAGE}.` },
  ]);
}
