import type { Resource } from '../../api/client.ts';
import type { Tone } from '../../components/status.tsx';
import type { Filters } from '../scheduled-orders/search.ts';

/** The figures of the Overview that have a list. */
export type FigureName =
  | 'Due'
  | 'Overdue'
  | 'Retrying'
  | 'Waiting'
  | 'Unknown'
  | 'Pending'
  | 'Differences'
  | 'PushesThatDiffer'
  | 'PushesFailed'
  | 'PushesUnknown'
  | 'PushesWaiting'
  | 'EndpointsFailing';

export interface Figure {
  readonly name: FigureName;
  readonly title: string;
  readonly words: string;
  /** How it looks when it is not 0. */
  readonly tone: Tone;
  readonly count: number;
  /** There are more than counted. */
  readonly isMore: boolean;
  /** The list of scheduled orders behind it; undefined for what is none. */
  readonly filters: Filters | undefined;
}

const FIGURES: readonly Omit<Figure, 'count' | 'isMore' | 'filters'>[] = [
  { name: 'Overdue', title: 'Overdue', words: 'Due for more than 5 minutes: is a worker running?', tone: 'bad' },
  { name: 'Pending', title: 'Pending', words: 'Nothing happens until somebody corrects them.', tone: 'bad' },
  { name: 'Unknown', title: 'Outcome unknown', words: 'Nobody knows yet whether they were charged.', tone: 'warning' },
  { name: 'Retrying', title: 'Retrying', words: 'The charge failed and is tried again by itself.', tone: 'warning' },
  {
    name: 'Waiting',
    title: 'Waiting',
    words: 'They wait for their payment integration, or are held.',
    tone: 'warning',
  },
  { name: 'Differences', title: 'Payments differ', words: 'The gateway has them otherwise than we do.', tone: 'bad' },
  {
    name: 'PushesFailed',
    title: 'Not in the shop',
    words: 'Charged orders that the shop did not take.',
    tone: 'bad',
  },
  {
    name: 'PushesThatDiffer',
    title: 'Differ in the shop',
    words: 'It has them otherwise than they were charged.',
    tone: 'bad',
  },
  {
    name: 'PushesUnknown',
    title: 'Perhaps in the shop',
    words: 'Sent, and nobody knows yet what came of it.',
    tone: 'warning',
  },
  {
    name: 'PushesWaiting',
    title: 'On the way to the shop',
    words: 'Charged orders that come next, or when the shop takes them. With Push Off they stay.',
    tone: 'busy',
  },
  {
    name: 'EndpointsFailing',
    title: 'Webhooks failing',
    words: 'Endpoints to which nothing is delivered.',
    tone: 'bad',
  },
  { name: 'Due', title: 'Due now', words: 'Their time has come; workers process them.', tone: 'busy' },
];

/** What the API's link to a list says, as the page of scheduled orders has it in its address. */
function filtersOf(link: string): Filters | undefined {
  const { pathname, searchParams } = new URL(link, location.origin);
  if (pathname !== '/api/ScheduledOrders') return undefined;
  const read = (name: string) => searchParams.get(name) ?? undefined;
  return {
    status: read('Status') as Filters['status'],
    problem: read('Problem') as Filters['problem'],
    to: read('NextTo'),
  };
}

/** Which list of pushes is behind a figure. */
export const PUSHES = {
  PushesThatDiffer: 'Differs',
  PushesFailed: 'Failed',
  PushesUnknown: 'Unknown',
  PushesWaiting: 'Waiting',
} as const satisfies Partial<Record<FigureName, string>>;

export const isOfPushes = (name: FigureName): name is keyof typeof PUSHES => name in PUSHES;

/** Those of pushes only where there are any, or orders are pushed. */
const isShown = ({ ShopState, ...overview }: Resource<'Overview'>, name: FigureName) =>
  !isOfPushes(name) || ShopState !== null || overview[name] > 0;

export const figuresOf = (overview: Resource<'Overview'>): readonly Figure[] =>
  FIGURES.filter(({ name }) => isShown(overview, name)).map((figure) => ({
    ...figure,
    count: overview[figure.name],
    isMore: overview.More.includes(figure.name),
    filters: filtersOf(overview.Links[figure.name]),
  }));
