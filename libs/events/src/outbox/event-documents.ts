import { EVENT_TYPES, OUTWARD_TYPES } from './event-types.js';

/** Markdown: the list of types that the page of the events has. */
export const eventList = (): string =>
  OUTWARD_TYPES.map((type) => {
    const { about, has, mayHave } = EVENT_TYPES[type];
    const own = has.filter((fact) => !(type.startsWith('scheduled_order.') && fact === 'ScheduledOrderId'));
    const facts = [...own, ...mayHave.map((fact) => `${fact}?`)].map((fact) => `\`${fact}\``).join(', ');
    return `- \`${type}\`${facts === '' ? '' : ` (${facts})`}: ${about}`;
  }).join('\n');
