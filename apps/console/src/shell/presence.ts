/** So long after the last key or movement a request is the page's own. */
const AWAY_MS = 60_000;

let lastSignMs = performance.now();
const noteSign = () => {
  lastSignMs = performance.now();
};
for (const sign of ['keydown', 'pointerdown', 'wheel'] as const)
  window.addEventListener(sign, noteSign, { capture: true, passive: true });
/** Browsers also tell of movements of 0, when the page changes below the pointer. */
const noteMovement = ({ movementX, movementY }: PointerEvent) => {
  if (movementX !== 0 || movementY !== 0) noteSign();
};
window.addEventListener('pointermove', noteMovement, { capture: true, passive: true });

/** Whether somebody uses the page. What it asks by itself does not keep its session alive. */
export const isSomebodyThere = (): boolean => performance.now() - lastSignMs < AWAY_MS;
