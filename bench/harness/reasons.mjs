/**
 * By row: why it misses its mark, where it does, and what was tried. Figures of a single step were taken with a
 * profiler, apart.
 */
export const REASONS = {
  1: `Both cores are busy throughout, so every microsecond counts on both sides. Most of what an order costs is the same for
everybody: its rows, their indexes, and the event with the whole order in it. The queues were given their best settings (fewer
connections, the product's plan switches), which made them about a tenth faster than at first. Tried for the product, with effect: snapshots in
the logs as text instead of \`jsonb\`, built as rows (130 → 73 µs an event); the ledger's frozen order without field names; plans that
never read a table whole (before, finding 500 of 24,000 orders took a third of each record's time). Tried, without: a larger young generation for
Node, a lower fillfactor for the ledger. Not available: lz4 (the embedded PostgreSQL has pglz only).`,
  2: `Both cores are busy in either case, so this is a ratio of processor time (see the figures). The limit's is all PostgreSQL's. The product needs
PostgreSQL for the same rows and more, for what the limit leaves out: it claims under a lease, reads the orders back to price them, puts every
attempt on record before the gateway is called, and so writes the ledger's row twice instead of once. Without that, a crash would leave
charges that nobody knows of. On top comes Node: reading, pricing, writing the batches, garbage. Other plans for the limit change nothing.`,
  3: `The limit writes one row of the ledger per order, once, when all is over. The product writes it with all that is about to be charged before the
gateway is called, and again when it is done: about 900 bytes of log that the limit does not have. Tried, with effect: claiming and freezing new
orders in one write, where their charge can be sent at once (5,150 → 4,670 bytes and 115 → 100 buffers an order); new rows of the
ledger written without \`ON CONFLICT\`, which logs each of them twice (48 bytes), and the numbers in the frozen order as text (31 bytes); the frozen
order without field names, and its billing address only where it differs (1,390 → 860 bytes for that step); snapshots as text, which made the
limit's own share smaller as well. Tried and left: a fillfactor of 60
for the ledger lets the second write stay in its page and saves another 100 bytes, but the ledger, which is kept for ever, would take about 1.8 times
the room (by calculation). The shipping address from the order's own row instead of the frozen order: 103 bytes. A trigger on the orders would have to copy the
address when somebody changes it before the charge is recorded (an \`AFTER\` trigger costs nothing else; a \`BEFORE\` trigger locks each row first: 57
bytes). But a worker of the previous version that takes over such a cycle would write the Order without its address, so that version could no longer
run beside this one; and in a REPEATABLE READ transaction that began before the cycle, the trigger would not see the cycle, and the address that was
charged for would be lost. Orders that must wait in line for their gateway are still claimed first, as
many as their site may have in progress (twice its gateway's concurrency at first), so that a free place at the gateway waits for no claim. They are frozen
later: frozen in line, they could no longer be paused there.`,
  4: `Both sides charge through the same adapter, and its part is the larger one (Node's HTTP client, JSON, the throttle), with the stand-in's beside it on
the same two cores. Tried, with effect: requests that are sent directly instead of through the \`stripe\` package (287 → 200 µs of processor time a
charge, where a bare \`http.request\` takes 100), batches that grow while others are prepared or recorded, charges frozen ahead of their turn where
gateways are quick, and idle connections enough for all integrations (Node would keep 256).`,
  5: `Each statement of a tick is a look-up by key, in the small database as in the large one (no plan reads a table whole). What differs is that
the thousand due orders lie spread over all ids: each is alone on its page of the table and of five indexes, where in the small database twenty
share one. Cold, those pages come from the disk one by one; PostgreSQL reads ahead only for bitmap scans, which cost more when all is in memory.
After ticks, the entries of orders that have moved on lie dead at the head of the two indexes of due orders until the next vacuum of the table,
and a look from the head passes their pages: microseconds. A worker that has found nothing looks from a later date on, and from the head once a minute. Vacuuming more often would read the indexes of all stored orders each time.
An idle tick reads 13 to 17 buffers, and each minute has a look from the head, a look for occurrences that come soon, and signs of life, which are 4 more, and 9 after ticks. A connection
that meets a statement for the first time reads the catalog for it (60 to 500 buffers), which is why a worker keeps two. The
table's idle ticks were counted 70 seconds after the start, when one of the two did not know all statements of a minute yet: among 300,000 orders that gave 24.6
buffers, and 250 seconds after the start, as it is measured from now on, 17.2. Among ten million that was not measured again.`,
  6: `What a long transaction holds back cannot be vacuumed by anybody: dead versions of the scheduled orders and of their index entries
stay, and every look that begins at the head of the index of due orders passes them.`,
  7: `One worker keeps both cores busy, with PostgreSQL beside it: more workers can only share them, and pay for more processes and smaller batches
(295 µs of processor time an order with one worker, 337 with two, 384 with four). Tried, without effect: fewer batches at once per worker. No order was processed twice and nothing deadlocked in any run.
With four workers an order takes 1.22 times the buffers (24,000 due, two passes without a vacuum: at one site 115 and 124 instead of 95 and 102, at ten sites 121 and 134
instead of 100 and 107), because each claim steps over what the others have in hand: some six buffers for each such order. Of all that PostgreSQL's statements
take, claims are then 8 to 12 % instead of 3 to 5 %. Tried in two forms, and left. (1) While more than a batch is due, a worker looks at its own share first (the id, divided by the number of
workers, leaves its own remainder) and at all orders when its share gives fewer than asked for: 110 and 110 at one site, 121 and 131 at ten, so nothing there. A
frozen worker's share would then wait for the end of the others' backlog. When each worker also looks at all orders once a second, so that it does not, nothing is left of
the gain (116 and 124, 122 and 130): that look walks past all that the others have done since the last one. Strict shares (101 and 107, 118 and 115) need somebody
who knows which workers live. (2) Workers tell each other how far they have claimed, and begin behind that; no order is anybody's own, so none can be forgotten. Told through files, at no cost to the database:
103 and 115 at one site, 103 and 115 at ten. That is the most it can give: claims that run at the same time still meet. Through the database, telling at once takes a commit
for each claim (0.0027 an order, where all of an order has 0.0045); told with the claim's own commit, it comes too late for those claims. With gateways of
300 ms four workers had 2.7 times the throughput of one before cycles were frozen and recorded in larger batches (0.52 commits and 2.5 ms of PostgreSQL an order
with one worker), and while each had so few orders that it was still getting warm.`,
  8: `Server, database and clients share two cores, so what is compared is processor time. PostgreSQL's part is the same on both sides. Tried, with
effect: every statement prepared; statements that do not need each other's rows in one round trip (a POST's 6 waits instead of 13: from 0.72 of
raw to between 0.82 and 1.09); reads of several requests in one (a GET from 0.77 to 1.24); statements sent without \`pg\` copying their parts
(Node's share of a POST from 1,053 to 919 µs, of a PUT from 809 to 746). For a page nearly all is PostgreSQL's (7.7 ms, and 1.7 ms of Node against
1.45: half of it is the kernel, taking 240 kB into the socket); passing its bytes on without making text of them was tried and costs more than it
saves. The 99th percentiles tell most of all how steady the machine was in that minute: in two complete
runs on the same machine, those of a GET, a POST and a PUT were 2.7, 3.4 and 2.2 times raw Fastify's, and then 0.1, 0.5 and 0.4 times. Only a page's was
larger in both (1.5 and 2.4): raw Fastify's peak is higher, so the same requests load it less. At 70 % of the peak that had just been measured, either side
sometimes cannot keep up: what the machine can do changes by a third from one minute to the next. So they are no measure of either side until a quieter
machine measures them.`,
  9: `psql copies within one statement. The product reads the ids first, then the orders in pieces of 500, each a statement of its own, so that a
slow reader holds neither a connection nor a snapshot: per piece PostgreSQL starts again and Node passes 1.4 MB on. API, PostgreSQL and reader share
two cores, and each byte passes two sockets instead of one. Tried, with effect: passing the bytes on without making text of them (160 to 60 MB above
idle); the ids first, each once (with 2,000 sites every piece looked through all of them: 2.0 of psql's time, then 1.3); the next piece's statement
while one is waited for (about 1.5 of psql's time, then 1.05, in short runs); answers in rows of 20 orders, because the driver copies a row over and
over until it is complete; products and customers as ready-made JSON in a column of their own (the JSON of an order from 43 to 27 µs of PostgreSQL),
which makes the table of customers four times as large, and each write of one writes it again; each record of a piece looked up by its key: where PostgreSQL
expected few of them, as at one site, it had compared each of 500 with each (100,000 orders: from 10.4 to 4.8 s). The memory is that of the whole process, with
garbage that was not yet collected: of a list, two pieces of 1.4 MB are in it at a time. Where the rest comes from was not looked into.`,
  10: `\`npm start\` where there are sources looks first whether they have changed: that takes 0.8 s, mostly the compiler's. A packed release builds nothing.`,
  11: `Beside millions of rows every insert of a random key finds larger trees, and every due order a page of its own instead of one that it shares
with others that are due. Indexes of what falls due move with every cycle: entries go from the head to the tail, and pages that are left
behind are given back by vacuum, which the migrations let run after every hundredth of the table. An hour of ticks makes every hundredth order due, wherever its
entry lies: each page loses a few entries at a time, and vacuum gives back only pages that are empty. As time passes, the earliest fall due, from one end. In a
small form of that (125,000 orders, 200 ticks of the 2,500 earliest) these two indexes had 1.9 and 1.6 times their rebuilt size, and did not grow from
the 50th tick on.`,
  12: `The worker sees by its own looks that the database answers late, and then has two batches under way instead of four. With one batch it kept 0.71 of its rate; a GET then took 1.4 times its median alone, and 33 ms (p99).`,
  13: `With 10,000 sites and 16,000 orders nearly every order is the first of its site that the worker sees: rates, settings and integrations are read,
decrypted and compiled for one or two orders instead of thousands. Tried, with effect: the rates of a batch looked up site by site, where the statement had
compared each site with the rates of all (187 → about 50 µs of PostgreSQL an order with 5,000 sites). Of the rest, most is finding the sites that have
due orders, one look-up each (34 µs), and a second write of the ledger for orders that could not be frozen as they were claimed (77 µs, where 10 sites
need 6). Of a site with more than 2,000 rates none is kept in memory, whatever their number: each batch reads those of the places that it ships to, and
compiles them.`,
  14: `Some passes stay below the mark. Most of it is the event with the whole order in it (1,420 bytes); the Order takes 400, its two items 330, its row in the ledger 390. The
scheduled order itself does not grow. Measured and left: of what a completed cycle keeps of its charge, nothing reads the idempotency key (28 bytes),
the card's id (8, with a real gateway 28) and the time of sending (8) any more; but they are the evidence of what was sent, and dropping all of them would save 2 %. Most of the event is its snapshot, which is kept as text, because that costs the least processor time.`,
  15: `The drain takes three and a half minutes, and was made once. Row 11 has a similar loss beside stored rows, whose trees are larger. Autovacuum and checkpoints work beside on the
same two cores; what they take was not measured apart. Of 825 orders of the other site the middle one was 0.6 seconds late. Why the latest was 7.6 was not looked into.`,
  17: `One endpoint of every site costs some 2,800 bytes of log, until its deliveries are sent, and a fifth of the throughput. Earlier, at 2,620 bytes: PostgreSQL needs 300 µs an order instead of 210, Node 200 instead of
185. Of the bytes, 1,380 are the two events with the numbers that readers know them by, the rest the two deliveries that wait to be sent. Recording,
numbering and handing out share the same two cores here. Done: rows that are numbered stay on their page, numbering reads by place. A shop that reads the
feed instead of having an endpoint pays for the events alone.`,
  18: `By day and with amounts take about the same time: what costs is reading the orders and stepping through their schedules, not their prices. The figures of a forecast take a few MB. The rest is garbage: rows of PostgreSQL that outlived two collections of young objects, and wait for the next
one of old objects; after that the heap is as before. Tried, with effect: lines priced without copying objects (a quote from 19 to 10 µs); 250 orders in
a chunk instead of 1,000. Tried, without: 100 in a chunk, smaller semi-spaces. Tried, and left: V8 without pretenuring (20,000 orders: 36 MB instead of
91, and a fifth less time; 100,000: 147 instead of 159, in the same time). It would be a flag of the whole API, which Node advises against setting
in a running process.`,
};
