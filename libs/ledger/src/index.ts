export { cycleView } from './cycle-view.js';
export { adoptDeployment, type Deployment, type Query, readDeployment } from './deployment.js';
export { integrationChanged } from './integration-changed.js';
export { DUE_CHANNEL, LOOK_AHEAD_MS, notifyDue } from './notify-due.js';
export { resolveCycle, type Resolution } from './resolve.js';
export { stuckCycles, type StuckCycle } from './stuck.js';
export { assertGoesOn, type LockedOrder, type OrderChange } from './order-change.js';
export { processNow, reschedule, skip } from './requests.js';
export { becomeActive, becomeInactive, changeFrequency, deleteOrders } from './status-requests.js';
