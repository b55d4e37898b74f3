export { archiveCycles, deleteCycles } from './reading/archive.js';
export { type Backlog, readBacklog } from './reading/backlog.js';
export {
  adoptDeployment,
  type Deployment,
  deploymentRefusal,
  introduceDeployment,
  readDeployment,
} from './deployment/deployment.js';
export {
  acceptHolding,
  type Difference,
  heldFailure,
  type HoldingDifference,
  type PaymentSide,
  readHolding,
  refuseWhileHeld,
  reportDifference,
  type Reported,
  reportHeld,
  readNotHeld,
  settleDifference,
} from './differences/differences.js';
export { DIFFERENCE_KINDS, type DifferenceKind } from './differences/difference-kinds.js';
export { frozenJson, type FrozenOrder, frozenOrderOf } from './frozen-json.js';
export { integrationChanged } from './integration-changed.js';
export { leaveWait, STOPPED_CHANNEL } from './requests/steps.js';
export { CLOCKS_CHANNEL, DUE_CHANNEL, LOOK_AHEAD_MS, notifyDue, SHOPS_CHANNEL } from './notify.js';
export { NOT_PRICED, type PricedWith, pricedWith, type PricingOfAttempt, pricingOf } from './reading/priced-with.js';
export { allowedChanges, type Transition, TRANSITIONS } from './transitions.js';
export { resolveCycle, type Resolution } from './differences/resolve.js';
export { stuckCycles, type StuckCycle } from './reading/stuck.js';
export {
  advanceFrom,
  assertExpected,
  assertGoesOn,
  type OrderChange,
  type OrderToChange,
  refuseCancelled,
} from './requests/order-change.js';
export { freeSecond } from './requests/free-second.js';
export {
  claimPushes,
  type ClaimedPush,
  type DueShop,
  lockDueShops,
  lookForPushes,
  MOST_SENDS,
  PUSH_LEASE_MS,
  type PushBacklog,
  putBackPushes,
  readPushBacklog,
} from './pushes/push-claim.sql.js';
export {
  beginRemoving,
  beginSending,
  type PushResult,
  type RecordedPush,
  recordPush,
  recordTwinRemoved,
} from './pushes/push-record.sql.js';
export { acceptPush, linkPush, type PushKey, retryPush } from './pushes/push-requests.sql.js';
export { recordShop, recordVerified, type ShopAnswer } from './pushes/push-shops.sql.js';
export { dueUtcOf, type PushedOrder, readPushedOrders } from './pushes/pushed-orders.sql.js';
export { type AuditedInShop, auditPushed } from './pushes/audited-pushes.js';
export { isPushed, pushNamesOf, recordSeenInShop, type SeenInShop, type Unexpected } from './pushes/seen-in-shop.js';
export {
  countPushes,
  readPush,
  readPushCells,
  readPushes,
  readPushStanding,
  type PushStanding,
  type WantedPushes,
} from './pushes/push-reading.sql.js';
export { judgePushableAnew, readReceiver, recordAsked, recordSellable } from './pushes/not-pushable.sql.js';
export { decryptShop, type StoredShop } from './pushes/shop.js';
export { type PaidElsewhere, paidElsewhere } from './differences/paid-by.js';
export { assertMeant, planActivation, planProcess, planReschedule, planSkip } from './requests/plans.js';
export { isInProgress, isWaiting, type LatestCycle, readLatestCycle, readMissed } from './requests/latest-cycle.js';
export { type PastCharge, pastQuote } from './reading/past-quote.js';
export { type Problem, PROBLEM_CODES, PROBLEM_STATES } from './reading/problems.js';
export { processNow, reschedule, skip } from './requests/requests.js';
export {
  LAST_TRY_UTC,
  laterUtc,
  LONGEST_WAIT_MS,
  nextTryUtc,
  retryDelayMs,
  type RetrySchedules,
  triesAfter,
} from './retries.js';
export { type Remembered } from './deployment/required-reconciliation.js';
export { refuseSecondCall } from './requests/second-call.js';
export {
  becomeActive,
  becomeInactive,
  cancel,
  changeFrequency,
  deleteOrders,
  reactivate,
} from './requests/status-requests.js';
export { FEWEST_LEDGER_MONTHS } from './statements/archive.sql.js';
export { type AuditedRow, readNamedCycles, readUnlistedCycles } from './statements/audited-cycles.sql.js';
export { beginCycles, type NewCycleRow } from './statements/begin.sql.js';
export {
  claimAgain,
  type Claimant,
  type ClaimedRow,
  type DueRow,
  leftDueInMs,
  lockDue,
  type Locking,
  lockShares,
  nextDueInMs,
  nextExpiryInMs,
  readDueSites,
  takeOver,
} from './statements/claim.sql.js';
export {
  claimAgainSimulated,
  claimProbesSimulated,
  countClocks,
  leadClocks,
  leaveClock,
  type LedRow,
  lockDueSimulated,
  MOST_CYCLES,
  renewClocks,
  stepClock,
  type StepRow,
  takeOverSimulated,
} from './statements/simulated.sql.js';
export {
  advanceClock,
  assertIdle,
  assertReady,
  assertSayable,
  lockClock,
  isLeased,
  type LockedClock,
  moveClock,
  nextOfClock,
} from './test-clock.js';
export type { LeasedRow } from './statements/fence.js';
export { recordFound } from './statements/found.sql.js';
export {
  hasUnplaced,
  keepUnknown,
  type LedgerCycle,
  type ListOrigin,
  lockNamedOrder,
  lockNewestCycles,
  markFound,
  readUnplaced,
  unplacedAmong,
  type UnplacedRow,
} from './statements/found-charges.sql.js';
export { freezeAttempts, type PastAttempt, type SentRow, UNSENT } from './statements/freeze.sql.js';
export {
  type CycleResolution,
  type InDoubtRow,
  loadInDoubt,
  readPastAttempts,
} from './statements/in-doubt-attempts.sql.js';
export {
  endWait,
  joinWaits,
  lockWait,
  probeSoon,
  type WaitKey,
  wakeWaiting,
} from './statements/integration-waits.sql.js';
export { endLeases, type OwnedRow, readInactive, releaseCycles, renewLeases } from './statements/leases.sql.js';
export { claimProbes, INTEGRATION_RETRY_MS } from './statements/probe.sql.js';
export { putBackCycles, putBackProbes } from './statements/put-back.sql.js';
export {
  type LockedOrder,
  type LockedRow,
  lockLeased,
  readCompleted,
  recordCompleted,
  type RecordedCompletions,
  recordFailed,
  renumber,
} from './statements/record.sql.js';
export { readStops } from './statements/send-gate.sql.js';
export {
  endStreaks,
  keepStreak,
  lastPaidUtc,
  lockStreak,
  readMissing,
  takeBack,
  takeForWrongAccount,
} from './statements/wrong-account.sql.js';

/**
 * What is SQL, or makes it: for statements that join cycles with something else, and would need a second way to the
 * database, or every id, if a function read the cycles for them: reports, lists, the timeline, prices. Each reads, as a
 * table in FROM, a condition or a value, and none can write or lock. Everything above is a function or a constant
 * (test/architecture/ledger.test.ts has the list).
 */
export { CONCERNS, IS_UNCOMPARED } from './deployment/required-reconciliation.js';
export { differenceView } from './differences/differences.js';
export { allCyclesSql } from './reading/archive.js';
export { cycleView, isFreeSql, newestCyclesSql, nextAttemptSql, openStateSql } from './reading/cycles.js';
export { endedCyclesSql } from './reading/ended-cycles.js';
export { ofProblem } from './reading/problems.js';
export { heldByInBatchSql } from './statements/differences.sql.js';
export { isOrderedSql, receiverInBatchSql } from './pushes/not-pushable.sql.js';
export { pushesOfOrderSql, pushOrOffSql } from './pushes/push-reading.sql.js';
export { pushView } from './pushes/push-requests.sql.js';
export { isOfThisShopSql, storedShopSql } from './pushes/shop.js';
export { hasUnplacedSql } from './statements/found-charges.sql.js';
