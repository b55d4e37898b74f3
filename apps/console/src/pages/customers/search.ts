import { oneOf, searchOf, text } from '../../search.ts';

export const SORTS = ['Id', '-Id'] as const;

export const search = searchOf({ q: text, sort: oneOf(SORTS), cursor: text });
