import { oneOf, searchOf, text } from '../../search.ts';
import { PROBLEMS } from '../scheduled-orders/search.ts';

export const search = searchOf({ problem: oneOf(PROBLEMS), cursor: text });
