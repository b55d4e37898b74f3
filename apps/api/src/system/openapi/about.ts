/** The front page of the documentation; docs/api.md has more details. */
export const ABOUT = `An engine for scheduled (recurring) orders: it stores them, prices them, charges them when they fall due, and records every cycle exactly once.

**Try it here.** Send *POST /api/AccessTokens/Login*, press **Authorize** and paste the \`TokenAuth\` of the answer. Every example of a body works
unchanged on the demo of \`npm start\`. The search finds operations by words of their path, name and description.

### Tokens
A **Merchant** token reaches everything of an account. A **Customer** token is bound to one customer: it reads and changes that customer's
scheduled orders, and nothing that costs the shop money. Every request carries \`Authorization: Basic <TokenAuth>\`. An [API key](/docs/authentication#api-keys) of a
shop's back end goes in the place of the token, and does not expire by itself.

### Requests
* Names are PascalCase; a field that a resource does not have is refused. All faults of a body are reported at once, up to 100.
* A body has at most 1 MiB, 32 levels and 500 items (\`MAX_ITEMS_PER_ORDER\`); an order has at most as many items.
* **PUT is a partial update**: what is left out stays, \`null\` clears. Fields that the service sets are accepted and ignored, so that a client can send back what it has read.
* \`Idempotency-Key\` makes a repeated POST safe for 24 hours.
* Times are ISO 8601 in UTC. Prices, rates and the amounts of Orders are decimals; the totals of a ScheduledOrder are integers in minor units of its \`CurrencyIso\`.

### Answers
* Every field of a resource is present, \`null\` where it has no value. Created: 201 with \`Location\`. Deleted: 204.
* Lists give the whole array, or a page of 100 with \`?page=\` and a \`Link\` header.
* Errors are [problem details](/docs/errors) (RFC 9457). Every answer names its request in \`X-Request-Id\`, every answer to a token its limits in \`RateLimit\`.

### Guides
[All guides](/docs/guides) · [Authentication](/docs/authentication) · [Calling the API](/docs/api) · [After a charge](/docs/after-a-charge) · [When an order falls due](/docs/schedule) ·
[Amounts and tax](/docs/amounts) · [Why did this happen?](/docs/insight) · [How a due order is processed](/docs/processing) · [Connecting a payment gateway](/docs/gateways)

Operations that the [contract](/docs/contract) does not have say so: *An addition to the contract.*`;

type Guide = readonly [page: string, what: string];

/** The groups of the documentation, in the contract's order, with the page of docs/ that says more. */
export const TAGS: readonly (readonly [name: string, description: string, guide?: Guide])[] = [
  ['Access tokens', 'Logging in, refreshing, revoking.', ['authentication', 'Authentication']],
  [
    'Scheduled orders',
    'Recurring orders: their schedule, payment, address and totals.',
    ['schedule', 'When an order falls due'],
  ],
  ['Scheduled order items', 'Lines of scheduled orders.', ['amounts', 'Amounts and tax']],
  [
    'Logs',
    'Changes of a scheduled order, and the results of its processing. Requests cannot change them.',
    ['after-a-charge', 'After a charge'],
  ],
  ['Customers', 'Customers of a shop, and their records.'],
  ['Payment methods', 'Cards of a customer that a payment gateway stores.'],
  ['Orders', 'Completed orders: history.'],
  ['Products', 'What a shop sells.'],
  ['Shipping rates', 'What shipping costs, by class, place and thresholds.'],
  ['Tax rates', 'What taxes are charged, by class and place.', ['amounts', 'Amounts and tax']],
  [
    'Payment integrations',
    'A site’s credentials at its payment gateways.',
    ['gateways', 'Connecting a payment gateway'],
  ],
  ['Sites', 'The shops of an account.'],
  [
    'Additions',
    'What goes beyond the contract: [webhooks](/docs/events#webhooks), which are sent to your own addresses, [the event feed](/docs/events#the-event-feed), and [API keys](/docs/authentication#api-keys) for shops’ back ends, which do not log in, and [sessions](/docs/authentication#sessions-for-browsers) for pages of the API itself.',
  ],
  ['Health', 'For orchestrators and Prometheus.'],
];
