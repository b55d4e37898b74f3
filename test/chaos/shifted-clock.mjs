/** Preloaded into a worker: its clock is off by CLOCK_OFFSET_MS, as on a machine whose time nobody set. */
const offsetMs = Number(process.env.CLOCK_OFFSET_MS);
const TrueDate = Date;
const now = () => TrueDate.now() + offsetMs;

globalThis.Date = new Proxy(TrueDate, {
  apply: () => new TrueDate(now()).toString(),
  construct: (target, values, derived) => Reflect.construct(target, values.length === 0 ? [now()] : values, derived),
  get: (target, name) => (name === 'now' ? now : Reflect.get(target, name)),
});
