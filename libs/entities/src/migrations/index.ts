import { Accounts1780000000001 } from './1-accounts.js';
import { Customers1780000000002 } from './2-customers.js';
import { Catalog1780000000003 } from './3-catalog.js';
import { Orders1780000000004 } from './4-orders.js';
import { Processing1780000000005 } from './5-processing.js';
import { Logs1780000000006 } from './6-logs.js';
import { LoginAttempts1780000000007 } from './7-login-attempts.js';
import { BusyTables1780000000008 } from './8-busy-tables.js';
import { Promise1780000000009 } from './9-promise.js';
import { RollingUpgrades1780000000010 } from './10-rolling-upgrades.js';
import { RateVersions1780000000011 } from './11-rate-versions.js';
import { IntegrationWaits1780000000012 } from './12-integration-waits.js';
import { OriginsAndLimits1780000000014 } from './14-origins-and-limits.js';
import { BoundedTokens1780000000015 } from './15-bounded-tokens.js';
import { Sealing1780000000016 } from './16-sealing.js';
import { KnownNetworks1780000000017 } from './17-known-networks.js';
import { LighterWrites1780000000018 } from './18-lighter-writes.js';
import { Taxes1780000000019 } from './19-taxes.js';
import { MergedKeys1780000000020 } from './20-merged-keys.js';
import { MigratedSubscriptions1780000000021 } from './21-migrated-subscriptions.js';
import { Outbox1780000000022 } from './22-outbox.js';
import { ApiKeys1780000000023 } from './23-api-keys.js';
import { Webhooks1780000000024 } from './24-webhooks.js';
import { CheckedMoves1780000000025 } from './25-checked-moves.js';
import { ReadyMadeJson1780000000026 } from './26-ready-made-json.js';
import { DueNotices1780000000028 } from './28-due-notices.js';
import { ArchivedCycles1780000000029 } from './29-archived-cycles.js';
import { MovedTwice1780000000031 } from './31-moved-twice.js';
import { LighterEvents1780000000032 } from './32-lighter-events.js';
import { AskedLists1780000000033 } from './33-asked-lists.js';
import { PriceHistory1780000000034 } from './34-price-history.js';
import { Reports1780000000035 } from './35-reports.js';
import { Timeline1780000000036 } from './36-timeline.js';
import { TestClocks1780000000037 } from './37-test-clocks.js';
import { SimulatedApart1780000000041 } from './41-simulated-apart.js';
import { Sessions1780000000042 } from './42-sessions.js';
import { DeletedClocks1780000000043 } from './43-deleted-clocks.js';
import { FullKeys1780000000044 } from './44-full-keys.js';
import { PaidOnce1780000000045 } from './45-paid-once.js';
import { PaymentDifferences1780000000046 } from './46-payment-differences.js';
import { ListCursors1780000000047 } from './47-list-cursors.js';
import { OpenCharges1780000000048 } from './48-open-charges.js';
import { PasswordEntries1780000000049 } from './49-password-entries.js';
import { CountedRates1780000000050 } from './50-counted-rates.js';
import { WriteProbes1780000000051 } from './51-write-probes.js';
import { Written1780000000052 } from './52-written.js';

/** In order; a migration that has landed is never edited. */
export const migrations = [
  Accounts1780000000001,
  Customers1780000000002,
  Catalog1780000000003,
  Orders1780000000004,
  Processing1780000000005,
  Logs1780000000006,
  LoginAttempts1780000000007,
  BusyTables1780000000008,
  Promise1780000000009,
  RollingUpgrades1780000000010,
  RateVersions1780000000011,
  IntegrationWaits1780000000012,
  OriginsAndLimits1780000000014,
  BoundedTokens1780000000015,
  Sealing1780000000016,
  KnownNetworks1780000000017,
  LighterWrites1780000000018,
  Taxes1780000000019,
  MergedKeys1780000000020,
  MigratedSubscriptions1780000000021,
  Outbox1780000000022,
  ApiKeys1780000000023,
  Webhooks1780000000024,
  CheckedMoves1780000000025,
  ReadyMadeJson1780000000026,
  DueNotices1780000000028,
  ArchivedCycles1780000000029,
  MovedTwice1780000000031,
  LighterEvents1780000000032,
  AskedLists1780000000033,
  PriceHistory1780000000034,
  Reports1780000000035,
  Timeline1780000000036,
  TestClocks1780000000037,
  SimulatedApart1780000000041,
  Sessions1780000000042,
  DeletedClocks1780000000043,
  FullKeys1780000000044,
  PaidOnce1780000000045,
  PaymentDifferences1780000000046,
  ListCursors1780000000047,
  OpenCharges1780000000048,
  PasswordEntries1780000000049,
  CountedRates1780000000050,
  WriteProbes1780000000051,
  Written1780000000052,
];
