import { searchOf } from '../../search.ts';

export const search = searchOf({});
