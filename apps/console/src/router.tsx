import type { QueryClient } from '@tanstack/react-query';
import {
  createRootRouteWithContext,
  createRoute,
  createRouter,
  lazyRouteComponent,
  notFound,
  Outlet,
  redirect,
  rootRouteId,
} from '@tanstack/react-router';
import { ApiProblem } from './api/problem.ts';
import { Loading } from './components/page.tsx';
import { search as calendarSearch } from './pages/calendar/search.ts';
import { search as customerSearch } from './pages/customer/search.ts';
import { search as customersSearch } from './pages/customers/search.ts';
import { search as differencesSearch } from './pages/differences/search.ts';
import { search as failuresSearch } from './pages/failures/search.ts';
import { search as forecastSearch } from './pages/forecast/search.ts';
import { search as keysSearch } from './pages/keys/search.ts';
import { search as operationsSearch } from './pages/operations/search.ts';
import { search as paymentsSearch } from './pages/payments/search.ts';
import { search as productsSearch } from './pages/products/search.ts';
import { search as ratesSearch } from './pages/rates/search.ts';
import { search as scheduledOrderSearch } from './pages/scheduled-order/search.ts';
import { search as scheduledOrdersSearch } from './pages/scheduled-orders/search.ts';
import { search as shopSearch } from './pages/shop/search.ts';
import { search as testClocksSearch } from './pages/test-clocks/search.ts';
import { search as todaySearch } from './pages/today/search.ts';
import { search as webhooksSearch } from './pages/webhooks/search.ts';
import { parseSearch, searchOf, stringifySearch, text, wholeNumber } from './search.ts';
import { NoSuchPage, NothingHere, PageProblem } from './shell/in-place-of-page.tsx';
import { Shell } from './shell/shell.tsx';
import { type KnownSite, sitesQuery } from './sites.ts';

const root = createRootRouteWithContext<{ readonly client: QueryClient }>()({
  component: Outlet,
  notFoundComponent: NothingHere,
});

const login = createRoute({
  getParentRoute: () => root,
  path: '/login',
  validateSearch: searchOf({ to: text }),
  component: lazyRouteComponent(() => import('./pages/login/page.tsx'), 'LogInPage'),
});

/** The sites, or the way to the log-in page. */
async function sitesOf(client: QueryClient, href: string, staleTime = 60_000): Promise<readonly KnownSite[]> {
  try {
    return await client.fetchQuery({ ...sitesQuery, staleTime });
  } catch (error) {
    if (!(error instanceof ApiProblem && error.isSessionLost)) throw error;
    throw redirect({ to: '/login', search: { to: href }, replace: true });
  }
}

/** Without a chosen shop: the first one's Today. */
const start = createRoute({
  getParentRoute: () => root,
  path: '/',
  loader: async ({ context: { client }, location: { href } }) => {
    const [first] = await sitesOf(client, href);
    if (first === undefined) throw notFound();
    throw redirect({ to: '/s/$siteId/today', params: { siteId: first.id }, replace: true });
  },
});

const idOf = (written: string): number => {
  const id = wholeNumber(written);
  if (id === undefined) throw notFound();
  return id;
};

/** All pages of one shop. One that is not of this account is not found. */
const site = createRoute({
  getParentRoute: () => root,
  path: '/s/$siteId',
  params: {
    parse: ({ siteId }) => ({ siteId: idOf(siteId) }),
    stringify: ({ siteId }) => ({ siteId: String(siteId) }),
  },
  loader: async ({ context: { client }, location: { href }, params: { siteId } }) => {
    const known = (sites: readonly KnownSite[]) => sites.find(({ id }) => id === siteId);
    // One that was made a moment ago is not among those that were read before.
    const found = known(await sitesOf(client, href)) ?? known(await sitesOf(client, href, 0));
    // Without a shop there is no shell either.
    if (found === undefined) throw notFound({ routeId: rootRouteId });
    return found;
  },
  component: Shell,
});

const today = createRoute({
  getParentRoute: () => site,
  path: '/today',
  validateSearch: todaySearch,
  component: lazyRouteComponent(() => import('./pages/today/page.tsx'), 'TodayPage'),
});

const calendar = createRoute({
  getParentRoute: () => site,
  path: '/calendar',
  validateSearch: calendarSearch,
  component: lazyRouteComponent(() => import('./pages/calendar/page.tsx'), 'CalendarPage'),
});

const scheduledOrders = createRoute({
  getParentRoute: () => site,
  path: '/scheduled-orders',
  validateSearch: scheduledOrdersSearch,
  component: lazyRouteComponent(() => import('./pages/scheduled-orders/page.tsx'), 'ScheduledOrdersPage'),
});

const scheduledOrder = createRoute({
  getParentRoute: () => site,
  path: '/scheduled-orders/$orderId',
  params: {
    parse: ({ orderId }) => ({ orderId: idOf(orderId) }),
    stringify: ({ orderId }) => ({ orderId: String(orderId) }),
  },
  validateSearch: scheduledOrderSearch,
  component: lazyRouteComponent(() => import('./pages/scheduled-order/page.tsx'), 'ScheduledOrderPage'),
});

const customers = createRoute({
  getParentRoute: () => site,
  path: '/customers',
  validateSearch: customersSearch,
  component: lazyRouteComponent(() => import('./pages/customers/page.tsx'), 'CustomersPage'),
});

const customer = createRoute({
  getParentRoute: () => site,
  path: '/customers/$customerId',
  params: {
    parse: ({ customerId }) => ({ customerId: idOf(customerId) }),
    stringify: ({ customerId }) => ({ customerId: String(customerId) }),
  },
  validateSearch: customerSearch,
  component: lazyRouteComponent(() => import('./pages/customer/page.tsx'), 'CustomerPage'),
});

const products = createRoute({
  getParentRoute: () => site,
  path: '/products',
  validateSearch: productsSearch,
  component: lazyRouteComponent(() => import('./pages/products/page.tsx'), 'ProductsPage'),
});

const failures = createRoute({
  getParentRoute: () => site,
  path: '/failures',
  validateSearch: failuresSearch,
  component: lazyRouteComponent(() => import('./pages/failures/page.tsx'), 'FailuresPage'),
});

const differences = createRoute({
  getParentRoute: () => site,
  path: '/differences',
  validateSearch: differencesSearch,
  component: lazyRouteComponent(() => import('./pages/differences/page.tsx'), 'DifferencesPage'),
});

const forecast = createRoute({
  getParentRoute: () => site,
  path: '/forecast',
  validateSearch: forecastSearch,
  component: lazyRouteComponent(() => import('./pages/forecast/page.tsx'), 'ForecastPage'),
});

const rates = createRoute({
  getParentRoute: () => site,
  path: '/rates',
  validateSearch: ratesSearch,
  component: lazyRouteComponent(() => import('./pages/rates/page.tsx'), 'RatesPage'),
});

const payments = createRoute({
  getParentRoute: () => site,
  path: '/payments',
  validateSearch: paymentsSearch,
  component: lazyRouteComponent(() => import('./pages/payments/page.tsx'), 'PaymentsPage'),
});

const webhooks = createRoute({
  getParentRoute: () => site,
  path: '/webhooks',
  validateSearch: webhooksSearch,
  component: lazyRouteComponent(() => import('./pages/webhooks/page.tsx'), 'WebhooksPage'),
});

const shop = createRoute({
  getParentRoute: () => site,
  path: '/shop',
  validateSearch: shopSearch,
  component: lazyRouteComponent(() => import('./pages/shop/page.tsx'), 'ShopPage'),
});

const testClocks = createRoute({
  getParentRoute: () => site,
  path: '/test-clocks',
  validateSearch: testClocksSearch,
  component: lazyRouteComponent(() => import('./pages/test-clocks/page.tsx'), 'TestClocksPage'),
});

const keys = createRoute({
  getParentRoute: () => site,
  path: '/keys',
  validateSearch: keysSearch,
  component: lazyRouteComponent(() => import('./pages/keys/page.tsx'), 'KeysPage'),
});

const operations = createRoute({
  getParentRoute: () => site,
  path: '/operations',
  validateSearch: operationsSearch,
  component: lazyRouteComponent(() => import('./pages/operations/page.tsx'), 'OperationsPage'),
});

const siteStart = createRoute({
  getParentRoute: () => site,
  path: '/',
  beforeLoad: ({ params }) => {
    throw redirect({ to: '/s/$siteId/today', params, replace: true });
  },
});

const pages = [
  siteStart,
  today,
  calendar,
  scheduledOrders,
  scheduledOrder,
  customers,
  customer,
  products,
  failures,
  differences,
  forecast,
  rates,
  payments,
  webhooks,
  shop,
  testClocks,
  keys,
  operations,
] as const;

const routeTree = root.addChildren([start, login, site.addChildren(pages)]);

// The type follows from the routes: every link, parameter and search of a page is checked against it.
export const createConsoleRouter = (client: QueryClient) =>
  createRouter({
    routeTree,
    basepath: '/console',
    context: { client },
    parseSearch,
    stringifySearch,
    defaultPreload: 'intent',
    defaultPreloadStaleTime: 0,
    defaultPendingComponent: Loading,
    defaultErrorComponent: PageProblem,
    defaultNotFoundComponent: NoSuchPage,
    scrollRestoration: true,
  });

declare module '@tanstack/react-router' {
  interface Register {
    router: ReturnType<typeof createConsoleRouter>;
  }
}
