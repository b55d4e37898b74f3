import { day, month, searchOf } from '../../search.ts';

/** The month that is shown, and the day of it that is looked into. */
export const search = searchOf({ month, day });
