/** Why a row misses its mark, and what was tried; shown when it does. By row. */
export const REASONS = {
  1: `Close to its mark: short runs gave 5.1 to 5.8. Both cores are busy throughout, so every microsecond counts on both sides. Most of what an
order costs is the same for everybody: its rows, their indexes and foreign keys, and the event with the whole order in it. Tried, with effect:
snapshots in the logs as text instead of \`jsonb\`, built as rows (130 → 73 µs an event); the ledger's frozen order without field names; plans
that never read a table whole (before, finding 500 of 24,000 orders took a third of each record's time). Tried, without: a larger young
generation for Node, a lower fillfactor for the ledger. Not to be had: lz4 (the embedded PostgreSQL has pglz only).`,
  2: `Both cores are busy in either case, so this is a ratio of processor time. The limit needs about 190 µs an order, all of it in PostgreSQL. The
product needs about as much for the same rows, and besides about 130 µs in Node (reading, pricing, writing the batches, garbage) and more in
PostgreSQL for what the limit leaves out: it claims under a lease, reads the orders back to price them, puts every attempt on record before
the gateway is called, and so writes the ledger's row three times instead of once. Without that, a crash would leave charges that nobody knows
of. Short runs gave 0.55 to 0.60. Other plans for the limit change nothing (9,200 to 10,500 orders/s).`,
  3: `The limit writes one row of the ledger per order, once, when all is over. The product writes it when it claims the order, again with all that is
about to be charged before the gateway is called, and again when it is done: 1,450 bytes of log that the limit does not have. Tried: the frozen
order without field names, and its billing address only where it differs (1,390 → 860 bytes for that step); snapshots as text, which made the
limit's own share smaller as well (4,280 → 3,990 bytes an order, so the mark fell from 5,350 to 4,990). Tried and left: a fillfactor of 30
for the ledger lets the second write stay in its page and saves another 215 bytes (1.31), but the ledger, which is kept for ever, would take
about twice the room, and the processor time rose by a tenth. Claiming and freezing in one step would save some 400 bytes, but orders
would then be frozen while they wait in line, and could no longer be paused there.`,
  4: `Both sides charge through the same adapter, and its part is by far the larger one: about 550 µs an order in Node (the \`stripe\` package, Node's
HTTP client, JSON), and the stand-in's beside it, on the same two cores. The loop needs about 1,500 µs an order in PostgreSQL, the product 320:
a ratio of four would need an adapter of half its cost. Tried: batches that grow while others are prepared or recorded, charges frozen ahead of
their turn where gateways are quick, and idle connections enough for all integrations (Node would keep 256).`,
  5: `A tick of a thousand orders takes a quarter of a second, and the same tick in the same database between 210 and 330 ms: the machine's unrest is
larger than the mark's tenth. Each statement of a tick is a look-up by key, in the small database as in the large one.`,
  7: `One worker keeps both cores busy, with PostgreSQL beside it: more workers can only share them, and pay for more processes and smaller batches.
No order was processed twice and nothing deadlocked in any run.`,
  8: `Server, database and clients share two cores, so what is compared is CPU time. A POST costs PostgreSQL the same either way (1.5 to
1.7 ms), but Node 1.1 ms instead of 0.7: the peer replays recorded statements, while the product validates the body, prices the order and finds
its next date. Tried: every statement prepared; statements that do not need each other's rows in one round trip (6 waits instead of 13;
from 0.72 of raw to between 0.82 and 1.09), reads of several requests in one (a GET from 0.77 to 1.24). What is
left is spread over validation, JSON and the framework, none of it above 5 %. The 99th percentiles are of a few hundred answers and swing by a
factor of ten between rounds on both sides: whatever else the machine does lands in them.`,
  9: `psql copies within one statement. The product reads a list in pieces of 250 orders, each a statement of its own, so that a slow reader
holds neither a connection nor a snapshot: per piece PostgreSQL starts anew and Node passes 0.7 MB on. Tried: passing the bytes on without
making text of them (160 to 60 MB above idle), and, without
effect, asking for the next piece while one is on its way: 1.27 of psql's time instead of 1.29. Short runs gave 0.7 to 1.3.`,
};
